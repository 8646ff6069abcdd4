import { describe, expect, it } from "vitest";
import { compileText, programOf } from "../../test/stub-plugins.ts";
import type { ToolEntry } from "../program/program.ts";
import { policyDefault } from "./policy-default.ts";
import { pluginPolicy } from "./tool-policy.ts";

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
        "tools: { sums: { use: calculator, fallback: calculator }, calculator: { fallback: Guess. } }\nstrategy: react\n",
      ),
    );
    expect(program.tools.get("sums")?.policy.fallback).toEqual({ tool: "calculator" });
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

describe("the policy of a tool before a spec says anything", () => {
  const retry = { attempts: 3, firstMs: 1_000, maxMs: 10_000 };

  it("follows its effect", () => {
    expect(pluginPolicy({ effect: "read" })).toEqual({
      effect: "read",
      approval: "never",
      timeoutMs: 30_000,
      cacheMs: 0,
      maxResult: 6_000,
      repeat: 3,
      retry,
    });
    expect(pluginPolicy({ effect: "idempotent" })).toMatchObject({ approval: "never", retry });
    const once = pluginPolicy({ effect: "once" });
    expect(once.approval).toBe("always");
    expect(once.retry).toBeUndefined();
  });

  it("takes over what the definition proposes, as far as its effect allows it", () => {
    const policy = { timeoutMs: 500, cacheMs: 60_000, retry: { attempts: 5 }, polls: true };
    expect(pluginPolicy({ effect: "read", policy })).toMatchObject({
      timeoutMs: 500,
      cacheMs: 60_000,
      polls: true,
      retry: { ...retry, attempts: 5 },
    });
    const once = pluginPolicy({ effect: "once", policy });
    expect(once).toMatchObject({ timeoutMs: 500, cacheMs: 0, approval: "always" });
    expect(once.retry).toBeUndefined();
    const single = { retry: { attempts: 1 } };
    expect(pluginPolicy({ effect: "read", policy: single }).retry).toBeUndefined();
    // Of a set of tools, each has its own effect.
    expect(pluginPolicy({ effect: "once", policy }, "read").cacheMs).toBe(60_000);
  });

  it("is told with what it comes from", () => {
    const definition = { id: "sums", options: {}, effect: "read", policy: { timeoutMs: 500 } };
    const entry = { definition, policy: pluginPolicy({ effect: "read" }) } as unknown as ToolEntry;
    expect(policyDefault(entry, "timeout")).toEqual({ value: "500ms", by: "`sums`" });
    expect(policyDefault(entry, "retry")).toEqual({ value: 3, by: "the effect `read`" });
    expect(policyDefault(entry, "coolDown")).toBeUndefined();
  });
});
