import {
  defineStrategy,
  type EventData,
  NO_BOUNDS,
  type Observation,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";

const REACT = "tools: [stock]\nstrategy: { react: { maxSteps: 20 } }\n";
const stock = toolOf("stock", () => "4");

function loopsOf({ events }: ScriptedRun): readonly EventData["loop.detected"][] {
  return events.flatMap((event) => (event.name === "loop.detected" ? [event.data] : []));
}

function notesOf({ outcome }: ScriptedRun): readonly (readonly string[] | undefined)[] {
  return outcome.state.observations.map(({ notes }) => notes);
}

describe("a model that repeats a call", () => {
  it("is given a hint, then no tools, and the run ends limited with its answer", async () => {
    const run = await runScripted(
      REACT,
      ({ tools }) => (tools.length > 0 ? calling("stock", "nut") : "There are 4 [observation-1]."),
      { plugins: [stock] },
    );
    expect(run.requests.map(({ tools }) => tools.length)).toEqual([1, 1, 1, 1, 0]);
    expect(loopsOf(run)).toEqual([
      { tool: "stock", times: 3, measure: "hint" },
      { tool: "stock", times: 4, measure: "tools-off" },
    ]);
    expect(notesOf(run)).toEqual([
      undefined,
      undefined,
      [
        "the same call gave the same result 3 times; do something else, or answer with what is known",
      ],
      undefined,
    ]);
    expect(run.outcome).toMatchObject({
      outcome: "limited",
      answer: { text: "There are 4 [observation-1].", evidence: ["observation-1"] },
      fault: { code: "limit-repeat" },
    });
    expect(run.outcome.reason).toContain("stock 4 times");
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("goes on where it listens to the hint", async () => {
    const replies = [1, 2, 3].map(() => calling("stock", "nut"));
    const run = await runScripted(REACT, [...replies, calling("stock", "bolt"), "4"], {
      plugins: [stock],
    });
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
  });

  it("is told once of what it repeats inside one step, and loses its tools only after it could read that", async () => {
    const run = await runScripted(
      "tools: [stock]\nstrategy: { react: { maxCallsPerStep: 9 } }\n",
      ({ tools }) => (tools.length > 0 ? calling("stock", "a", "a", "a", "a", "a") : "4"),
      { plugins: [stock] },
    );
    expect(run.requests).toHaveLength(3);
    expect(run.outcome.outcome).toBe("limited");
    const measures = run.events.flatMap((event) =>
      event.name === "loop.detected" ? [event.data.measure] : [],
    );
    expect(measures.slice(0, 2)).toEqual(["hint", "tools-off"]);
    const hinted = run.outcome.state.observations.slice(0, 5).map(({ notes }) => notes?.length);
    expect(hinted).toEqual([undefined, undefined, 1, undefined, undefined]);
  });

  it("goes on after a step full of repeats where it listens to the hint", async () => {
    const run = await runScripted(
      "tools: [stock]\nstrategy: { react: { maxCallsPerStep: 9 } }\n",
      [calling("stock", "a", "a", "a", "a", "a"), calling("stock", "b"), "4"],
      { plugins: [stock] },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
  });

  it("leaves the tools to the next stage where its own may fail", async () => {
    const run = await runScripted(
      "tools: [stock]\nstrategy: [{ react: { id: first, onError: continue } }, { react: { id: second } }]\n",
      ({ stage, tools, messages }) => {
        if (stage === "first") return tools.length > 0 ? calling("stock", "nut") : "4?";
        return messages.at(-1)?.role === "tool" ? "4" : calling("stock", "bolt");
      },
      { plugins: [stock] },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(run.outcome.state.observations.at(-1)).toMatchObject({ ok: true, content: "4" });
  });
});

describe("a model that goes round in a circle", () => {
  it.each([
    ["two calls", ["a", "b"], 7],
    ["three calls", ["a", "b", "c"], 10],
  ])("of %s has no tools after %s", async (_name, items, calls) => {
    let count = 0;
    const run = await runScripted(
      REACT,
      ({ tools }) =>
        tools.length > 0 ? calling("stock", items[count++ % items.length] as string) : "4",
      { plugins: [toolOf("stock", (item) => item)] },
    );
    expect(run.outcome).toMatchObject({ outcome: "limited", answer: { text: "4" } });
    expect(run.outcome.state.observations).toHaveLength(calls);
  });

  it("of results that go back and forth is found by the circle", async () => {
    let isOn = false;
    const toggle = toolOf(
      "toggle",
      () => {
        isOn = !isOn;
        return isOn ? "it is on" : "it is off";
      },
      "idempotent",
    );
    const run = await runScripted(
      "tools: [toggle]\nstrategy: { react: { maxSteps: 20 } }\n",
      ({ tools }) => (tools.length > 0 ? calling("toggle", "lamp") : "It is on."),
      { plugins: [toggle] },
    );
    expect(run.outcome).toMatchObject({ outcome: "limited", fault: { code: "limit-repeat" } });
    expect(loopsOf(run).at(-1)).toEqual({
      tool: "toggle",
      times: 4,
      cycle: ["toggle", "toggle"],
      measure: "tools-off",
    });
    expect(run.outcome.state.observations).toHaveLength(7);
    expect(notesOf(run)[4]?.[0]).toContain("the same 2 calls came round 3 times");
  });

  it("is none where a tool may poll", async () => {
    let count = 0;
    const run = await runScripted(
      "tools: { status: { polls: true }, stock: {} }\nstrategy: { react: { maxSteps: 20 } }\n",
      () => (count++ < 12 ? calling(count % 2 === 0 ? "status" : "stock", `${count % 2}`) : "4"),
      { plugins: [toolOf("status", () => "waiting"), toolOf("stock", () => `${count}`)] },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(loopsOf(run)).toEqual([]);
  });
});

describe("a strategy that does not listen", () => {
  function stubborn(
    run: (ask: () => Promise<readonly Observation[]>) => Promise<void>,
  ): StrategyDefinition {
    return defineStrategy({
      id: "stubborn",
      description: "Asks for the same thing.",
      options: Type.Object({}),
      flow: { maySet: ["observations"], sets: ["answer"] },
      bounds: () => ({ ...NO_BOUNDS, toolCalls: [0, 50] }),
      run: async (_state, context) => {
        const call = { id: "call", name: "stock", arguments: "{}" };
        await run(() => context.callTools([call]));
        return { answer: { text: "4" } };
      },
    });
  }

  it("is told that the tools are off, and is ended where it asks on", async () => {
    const told: string[] = [];
    let asked = 0;
    const run = await runScripted("tools: [stock]\nstrategy: { stubborn: { tools: all } }\n", [], {
      plugins: [
        stock,
        stubborn(async (ask) => {
          for (; asked < 20; asked += 1) told.push((await ask())[0]?.content ?? "");
        }),
      ],
    });
    expect(run.outcome).toMatchObject({ outcome: "limited", fault: { code: "limit-repeat" } });
    expect(asked).toBe(5);
    expect(told.slice(0, 4)).toEqual(["4", "4", "4", "4"]);
    expect(told[4]).toMatch(/^not executed: tools are off now/);
    expect(run.events.filter(({ name }) => name === "tool-call.start")).toHaveLength(4);
    expect(unbalanced(run.events)).toEqual([]);
  });
});
