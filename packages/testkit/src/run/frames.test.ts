import { getEventListeners } from "node:events";
import {
  defineStrategy,
  generations,
  one,
  type StateChange,
  type StrategyContext,
  type StrategyDefinition,
  sumBounds,
  timesBounds,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { misnested } from "../promises/misnested.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);
const slots = { do: one({ description: "A child." }) };

function strategyOf(
  run: (context: StrategyContext<typeof slots>) => Promise<StateChange | void>,
): StrategyDefinition {
  return defineStrategy({
    id: "own",
    description: "What a test does.",
    options: Type.Object({}),
    slots: { do: { ...slots.do, optional: true } },
    flow: { uses: ["observations"], sets: ["answer"], maySet: ["observations", "candidates"] },
    bounds: (_options, children) => sumBounds(generations(0, 3), timesBounds(children.do, 1, 9)),
    run: (_state, context) => run(context as unknown as StrategyContext<typeof slots>),
  });
}

describe("a frame", () => {
  it("catches a stray Promise.all: the run fails once everything it opened has ended", async () => {
    const stray = strategyOf(async (context) => {
      await Promise.all([context.generate({ prompt: "a" }), context.generate({ prompt: "b" })]);
    });
    const run = await runScripted(
      "strategy: [direct, own]\n",
      async ({ stage }) => {
        if (stage === "own") for (let n = 0; n < 5; n += 1) await new Promise(setImmediate);
        return stage;
      },
      { plugins: [stray] },
    );
    expect(run.outcome).toMatchObject({
      outcome: "failed",
      fault: { code: "verb-pending" },
      answer: { text: "direct" },
    });
    expect(run.outcome.reason).toMatch(/started `generate` while `generate` was pending/);
    expect(unbalanced(run.events)).toEqual([]);
    expect(misnested(run.events)).toEqual([]);
    expect(run.requests).toHaveLength(2);
  });

  it("waits for a verb that a strategy lets go of, and calls it a fault", async () => {
    let later: Promise<unknown> | undefined;
    const careless = strategyOf(async (context) => {
      later = context
        .generate({ prompt: "a" })
        .then(() => context.generate({ prompt: "b" }))
        .catch((thrown: unknown) => thrown);
      return { answer: { text: "too early" } };
    });
    const run = await runScripted("strategy: own\n", () => "late", { plugins: [careless] });
    expect(run.outcome).toMatchObject({ outcome: "failed", fault: { code: "verb-pending" } });
    expect(unbalanced(run.events)).toEqual([]);
    expect(misnested(run.events)).toEqual([]);
    expect(await later).toMatchObject({ code: "verb-pending" });
    expect(run.requests).toHaveLength(1);
  });

  it("gives a step that is opened twice under one index two scopes", async () => {
    const stepping = strategyOf(async (context) => {
      for (let round = 0; round < 2; round += 1) context.step(1, 1);
    });
    const run = await runScripted("strategy: own\n", [], { plugins: [stepping] });
    expect(unbalanced(run.events)).toEqual([]);
    expect(misnested(run.events)).toEqual([]);
    expect(run.events.filter(({ name }) => name === "step.start")).toHaveLength(2);
  });

  it("merges branches in the order of their index, whatever finishes first", async () => {
    const order: string[] = [];
    const waiting = toolOf("stock", async (item) => {
      for (let turns = item === "a" ? 9 : 1; turns > 0; turns -= 1) await new Promise(setImmediate);
      order.push(item);
      return item;
    });
    const fan = strategyOf(async (context) => {
      const branches = ["a", "b", "c"].map((key) => ({
        key,
        run: async (inner: StrategyContext<typeof slots>) => {
          const input = JSON.stringify({ item: key });
          await inner.callTools([{ id: key, name: "stock", arguments: input }]);
          return {
            answer: { text: key, evidence: [`${key}.observation-1`] },
            candidates: [{ id: key, text: key, evidence: [] }],
          };
        },
      }));
      const results = await context.fanOut(branches, { maxParallel: 3 });
      context.adopt(results, results[1]);
    });
    const run = await runScripted("tools: [stock]\nstrategy: own\n", [], {
      plugins: [waiting, fan],
    });
    expect(order.at(-1)).toBe("a");
    const { observations, candidates, answer } = run.outcome.state;
    expect(observations.map(({ id }) => id)).toEqual([
      "a.observation-1",
      "b.observation-1",
      "c.observation-1",
    ]);
    expect(candidates.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(answer).toMatchObject({ text: "b", evidence: ["b.observation-1"], revision: 1 });
    expect(unbalanced(run.events)).toEqual([]);
    expect(misnested(run.events)).toEqual([]);
  });

  it("runs at most maxParallel branches at one time", async () => {
    let [running, most] = [0, 0];
    const run = await runScripted(
      "strategy: { self-consistency: { samples: 7, maxParallel: 3, do: direct } }\n",
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return "4";
      },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(most).toBe(3);
  });

  it("stops branches that are not needed any more, as aborted, and asks no model for them", async () => {
    const run = await runScripted(
      "strategy: { self-consistency: { samples: 9, maxParallel: 2, stopEarly: true, do: direct } }\n",
      () => "4",
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(run.requests.length).toBeLessThan(8);
    expect(unbalanced(run.events)).toEqual([]);
    expect(misnested(run.events)).toEqual([]);
  });

  it("turns a failed slot into data, with what it knew", async () => {
    const trying = strategyOf(async (context) => {
      const first = await context.tryRunSlot("do");
      return {
        answer: { text: `${first.ok} ${first.reason}; ${context.state.observations.length}` },
      };
    });
    const run = await runScripted(
      "tools: [stock]\nstrategy: { own: { do: react } }\n",
      [calling("stock", "nut"), { error: { code: "provider-failed", message: "down" } }],
      { plugins: [stock, trying] },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "false down; 1" } });
    expect(eventNames(run.events)).toContain("stage.end react");
    expect(run.outcome.state.results["react"]?.outcome).toBe("failed");
  });

  it("turns no limit and no stop into data", async () => {
    const trying = strategyOf(async (context) => {
      await context.tryRunSlot("do");
      return { answer: { text: "went on" } };
    });
    const stopped = await runScripted(
      "strategy: { own: { do: { stop: { reason: full } } } }\n",
      [],
      { plugins: [trying] },
    );
    expect(stopped.outcome).toMatchObject({ outcome: "done", reason: "full" });
    const limited = await runScripted(
      "strategy: { own: { do: [direct, direct] } }\nlimits: { modelCalls: 2 }\n",
      ["one"],
      { plugins: [trying] },
    );
    expect(limited.outcome).toMatchObject({ outcome: "limited", answer: { text: "one" } });
  });
});

describe("runs on one signal", () => {
  it("leave no listener behind", async () => {
    const { signal } = new AbortController();
    const bodies = ["tools: [stock]\nstrategy: react\n", "strategy: direct\n"];
    for (let count = 0; count < 200; count += 1) {
      const isFaulty = count % 3 === 0;
      const replies = isFaulty ? [] : [calling("stock", "nut"), "4"];
      await runScripted(bodies[count % 2] ?? "", replies, {
        plugins: [stock],
        settings: { signal },
      });
    }
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});
