import { createApp } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { misnested } from "../promises/misnested.ts";
import {
  builtIn,
  calling,
  packageOf,
  runScripted,
  specOf,
  toolOf,
} from "../promises/run-scripted.ts";
import { scriptedProvider } from "@loopwright/providers";

const fail = (): never => {
  throw new Error("down");
};
const look = toolOf("look", fail);
const count = { ship: 0 };
const ship = toolOf("ship", () => `shipped ${++count.ship}`, "once");

async function codesOf(body: string): Promise<readonly string[]> {
  const app = await createApp({
    plugins: [...builtIn, packageOf([scriptedProvider("stub", []), look, ship])],
    discovery: false,
    env: {},
  });
  const { diagnostics } = await app.check({ text: specOf(body) });
  await app.close();
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

describe("a tool that stands in for another", () => {
  const tools = "tools: { look: { fallback: ship }, ship: {} }\n";

  it.each([
    ["", ["LW-TOOL-ONCE-IN-FAN-OUT"]],
    [", tools: [look]", ["LW-TOOL-ONCE-IN-FAN-OUT"]],
    [", tools: read", ["LW-TOOL-EFFECT"]],
    [", tools: { look: {} }", ["LW-TOOL-ONCE-IN-FAN-OUT"]],
    [", tools: [look, ship]", []],
  ])("must be named where branches run at once and it runs once (%s)", async (said, codes) => {
    const stage = `react: { maxSteps: 3${said} }`;
    expect(await codesOf(`${tools}strategy: { self-consistency: { do: { ${stage} } } }\n`)).toEqual(
      codes,
    );
  });

  it.each([
    ["read", ["LW-TOOL-EFFECT"]],
    ["[look]", []],
    ["all", []],
    ["none", []],
  ])("is reached as if it were listed in one stage (%s)", async (said, codes) => {
    expect(await codesOf(`${tools}strategy: { react: { tools: ${said} } }\n`)).toEqual(codes);
  });

  it("is asked for, counted, and has a scope of its own", async () => {
    count.ship = 0;
    const asked: unknown[] = [];
    const run = await runScripted(
      `${tools}strategy: { react: { tools: [look] } }\n`,
      [calling("look", "nut"), "ok"],
      {
        plugins: [look, ship],
        onRun: (live) =>
          live.on("approval.requested", ({ data }) => {
            asked.push(data.tool);
            setImmediate(() => live.respond(data.id, { approved: true }));
          }),
      },
    );
    expect(asked).toEqual(["ship"]);
    expect(run.outcome.spending.toolCalls).toBe(2);
    expect(run.outcome.state.observations).toMatchObject([
      { tool: "look", ok: true, degraded: true, content: "shipped 1" },
    ]);
    const calls = run.events.filter(({ name }) => name.startsWith("tool-call."));
    const key = calls[0]?.key ?? "";
    expect(calls.map((event) => [event.name, event.key])).toEqual([
      ["tool-call.start", key],
      ["tool-call.end", key],
      ["tool-call.start", `${key}.fallback:0`],
      ["tool-call.end", `${key}.fallback:0`],
    ]);
    expect(calls.map(({ data }) => (data as { outcome?: string }).outcome)).toEqual([
      undefined,
      "failed",
      undefined,
      "done",
    ]);
    expect(unbalanced(run.events)).toEqual([]);
    expect(misnested(run.events)).toEqual([]);
  });

  it("is not executed above the limit on tool calls", async () => {
    count.ship = 0;
    const run = await runScripted(
      "tools: { look: { fallback: ship }, ship: { approval: never } }\nstrategy: react\nlimits: { toolCalls: 1 }\n",
      [calling("look", "nut"), "ok"],
      { plugins: [look, ship] },
    );
    expect(count.ship).toBe(0);
    expect(run.outcome).toMatchObject({ outcome: "limited", spending: { toolCalls: 1 } });
    expect(run.outcome.state.observations[0]?.content).toMatch(/limit on tool calls is reached/);
  });

  it("is in the bounds", async () => {
    const app = await createApp({
      plugins: [...builtIn, packageOf([scriptedProvider("stub", []), look, ship])],
      discovery: false,
      env: {},
    });
    const most = async (tool: string): Promise<number | undefined> => {
      const { program } = await app.check({
        text: specOf(`tools: { look: { fallback: ${tool} }, ship: {} }\nstrategy: react\n`),
      });
      return program?.bounds.toolCalls[1];
    };
    const plain = await most("Call back.");
    expect(await most("ship")).toBe(2 * (plain ?? 0));
    await app.close();
  });
});
