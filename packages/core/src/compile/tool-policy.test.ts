import { describe, expect, it } from "vitest";
import { compileText, programOf } from "../../test/stub-plugins.ts";

const spec = (rest: string): string =>
  `apiVersion: loopwright/v1\nname: policies\nmodel: ollama/s\n${rest}`;
const both = "tools: [orders/query, orders/update-address]\n";

describe("policies of tools", () => {
  it("rise from plugin to toolPolicy to tool to stage", async () => {
    const program = await programOf(
      spec(`toolPolicy: { timeout: 10s, maxResult: 2k, cache: 1m }
tools:
  orders/query: { timeout: 5s }
  orders/update-address: { approval: { when: args.orderId != '' } }
strategy:
  - react: { tools: { orders/query: { timeout: 1s, repeat: 2 }, orders/update-address: {} } }
`),
    );
    expect(program.tools.get("orders/query")?.policy).toMatchObject({
      timeoutMs: 5_000,
      maxResult: 2_000,
      cacheMs: 60_000,
      repeat: 3,
    });
    expect(program.tools.get("orders/update-address")?.policy).toMatchObject({
      timeoutMs: 10_000,
      cacheMs: 0,
      approval: { when: { source: "args.orderId != ''" } },
    });
    const stage = program.stages.get("react");
    expect(stage?.tools).toEqual(["orders/query", "orders/update-address"]);
    expect([...(stage?.policies ?? [])]).toMatchObject([
      ["orders/query", { timeoutMs: 1_000, repeat: 2, maxResult: 2_000 }],
    ]);
  });

  it("join the conditions of tool and stage", async () => {
    const program = await programOf(
      spec(`tools: { calculator: { deny: { when: args.expression == '1' }, approval: { when: args.expression == '2' } } }
strategy:
  - react: { tools: { calculator: { deny: { when: args.expression == '3' }, approval: { when: args.expression == '4' } } } }
`),
    );
    const policy = program.stages.get("react")?.policies.get("calculator");
    expect(policy?.deny?.source).toBe("(args.expression == '1') || (args.expression == '3')");
    expect(policy?.approval).toMatchObject({
      when: { source: "(args.expression == '2') || (args.expression == '4')" },
    });
    expect(policy?.deny?.evaluate({ args: { expression: "3" }, inputs: {}, task: {} })).toBe(true);
  });

  it("let a tool stand in for another, and text for any", async () => {
    const program = await programOf(
      spec(
        "tools: { orders/query: { fallback: calculator }, calculator: { fallback: Guess. } }\nstrategy: react\n",
      ),
    );
    expect(program.tools.get("orders/query")?.policy.fallback).toEqual({ tool: "calculator" });
    expect(program.tools.get("calculator")?.policy.fallback).toEqual({ text: "Guess." });
    const { diagnostics } = await compileText(
      spec("tools: { calculator: { fallback: calculator } }\nstrategy: react\n"),
    );
    expect(diagnostics.map((item) => item.code)).toEqual(["LW-TOOL-FALLBACK"]);
  });
});

describe("the tools of a stage", () => {
  it("are all for stages that act, none for others", async () => {
    const program = await programOf(spec(`${both}strategy: [react, direct]\n`));
    expect(program.stages.get("react")?.tools).toEqual(["orders/query", "orders/update-address"]);
    expect(program.stages.get("direct")?.tools).toEqual([]);
  });

  it("are read, none, or picked by name and pattern in the order of the spec", async () => {
    const program = await programOf(
      spec(
        `${both}strategy: [{ react: { tools: read } }, { react: { tools: [orders/update-*, orders/query] } }, { direct: { tools: all } }]\n`,
      ),
    );
    expect(program.stages.get("react")?.tools).toEqual(["orders/query"]);
    expect(program.stages.get("react-2")?.tools).toEqual(["orders/query", "orders/update-address"]);
    expect(program.stages.get("direct")?.tools).toHaveLength(2);
  });

  it("only read where branches run at once, unless a tool is named", async () => {
    const program = await programOf(
      spec(`${both}strategy: [{ self-consistency: { do: react } }]\n`),
    );
    expect(program.stages.get("react")?.tools).toEqual(["orders/query"]);
    const named = await programOf(
      spec(
        `${both}strategy: [{ self-consistency: { do: { react: { tools: [orders/update-address] } } } }]\n`,
      ),
    );
    expect(named.stages.get("react")?.tools).toEqual(["orders/update-address"]);
  });

  it("warn where there are none, and where samples will be alike", async () => {
    const { diagnostics } = await compileText(
      "apiVersion: loopwright/v1\nname: x\nmodel: { use: ollama/s, temperature: 0 }\nstrategy: [{ self-consistency: { do: react } }]\n",
    );
    expect(diagnostics.map((item) => `${item.severity} ${item.code}`)).toEqual([
      "warning LW-MODEL-SELF-JUDGE",
      "warning LW-MODEL-ALIKE-SAMPLES",
      "warning LW-STAGE-NO-TOOLS",
    ]);
  });
});
