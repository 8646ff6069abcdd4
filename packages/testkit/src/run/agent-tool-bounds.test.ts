import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CompiledProgram, createApp } from "@loopwright/core";
import { scriptedProvider } from "@loopwright/providers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  builtIn,
  calling,
  packageOf,
  runScripted,
  specOf,
  toolOf,
} from "../promises/run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);
let root = "";

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "loopwright-agent-bounds-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const INNER =
  "apiVersion: loopwright/v1\nname: clerk\nmodel: stub/model\ninputs: { item: string }\ntask: Count.\n";
const ACTING = "tools: [stock]\nstrategy: { react: { maxSteps: 3, maxCallsPerStep: 2 } }\n";
const REACT = "strategy: { react: { maxSteps: 4, maxCallsPerStep: 2 } }\n";

type ProgramBounds = CompiledProgram["program"]["bounds"];

/** The bounds of a spec that has the agent as a tool, and those of the agent. */
async function boundsOf(
  tool: string,
  inner = ACTING,
  strategy = REACT,
): Promise<{ readonly outer: ProgramBounds; readonly inner: ProgramBounds }> {
  await writeFile(join(root, "inner.yaml"), INNER + inner);
  const app = await createApp({
    plugins: [...builtIn, packageOf([scriptedProvider("stub", []), stock])],
    discovery: false,
    root,
    env: {},
  });
  try {
    const text = specOf(
      `tools: { clerk: { use: agent, spec: inner.yaml${tool} }, stock: {} }\n${strategy}`,
    );
    const [outer, own] = await Promise.all([
      app.compile({ text }),
      app.compile({ file: join(root, "inner.yaml") }),
    ]);
    return { outer: outer.program.bounds, inner: own.program.bounds };
  } finally {
    await app.close();
  }
}

/** What the outer spec asks for by itself: four steps with one repair each, and its conclusion. */
const OWN = 4 * 2 + 1;
const CALLS = 3 * 2;

describe("the bounds of a spec with an agent as a tool", () => {
  it("count a run of the agent for every tool call", async () => {
    const { outer, inner } = await boundsOf("");
    expect(outer.requests).toEqual([1, OWN + CALLS * inner.requests[1]]);
    expect(outer.toolCalls).toEqual([0, CALLS + CALLS * inner.toolCalls[1]]);
    expect(outer.generations[1]).toBe(4 + CALLS * inner.generations[1]);
  });

  it("count each attempt where retries are asked for", async () => {
    const { outer, inner } = await boundsOf(", retry: 2");
    expect(outer.requests[1]).toBe(OWN + CALLS * 2 * inner.requests[1]);
  });

  it("count no more than the limits of the tool, or of the agent, allow", async () => {
    const tool = await boundsOf(", limits: { modelCalls: 9 }");
    expect(tool.outer.requests[1]).toBe(OWN + 9);
    const agent = await boundsOf("", `${ACTING}limits: { modelCalls: 4 }\n`);
    expect(agent.outer.requests[1]).toBe(OWN + CALLS * 4);
  });

  it("count an agent that stands in for a tool", async () => {
    const strategy =
      "strategy: { react: { maxSteps: 4, maxCallsPerStep: 2, tools: { stock: { fallback: clerk } } } }\n";
    const { outer, inner } = await boundsOf("", ACTING, strategy);
    expect(outer.requests[1]).toBe(OWN + CALLS * inner.requests[1]);
    expect(outer.toolCalls[1]).toBe(2 * CALLS + CALLS * inner.toolCalls[1]);
  });

  it("count nothing for a stage that may not call it", async () => {
    const strategy = "strategy: { react: { maxSteps: 4, maxCallsPerStep: 2, tools: [stock] } }\n";
    const { outer } = await boundsOf("", ACTING, strategy);
    expect(outer.requests[1]).toBe(OWN);
  });

  it("hold for models that ask for as much as they may", async () => {
    const { outer } = await boundsOf("");
    let item = 0;
    const body = `tools: { clerk: { use: agent, spec: inner.yaml }, stock: {} }\n${REACT}`;
    const run = await runScripted(
      body,
      ({ tools, key }) =>
        tools.length === 0
          ? "all"
          : calling(
              key.includes("/call:") ? "stock" : "clerk",
              `a${++item}`,
              `b${item}`,
              `c${item}`,
            ),
      { root, plugins: [stock] },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", spending: { toolCalls: 6 + 6 * 4 } });
    // Nothing had to be repaired, and nothing was concluded.
    expect(run.outcome.spending.modelCalls).toBe(4 + 6 * 3);
    expect(run.outcome.spending.modelCalls).toBeLessThanOrEqual(outer.requests[1]);
  });
});
