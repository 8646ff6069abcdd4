import {
  defineStrategy,
  type StateChange,
  type StrategyContext,
  type StrategyDefinition,
  NO_BOUNDS,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { misnested } from "../promises/misnested.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

function strategyOf(
  id: string,
  run: (context: StrategyContext) => Promise<StateChange | void>,
): StrategyDefinition {
  return defineStrategy({
    id,
    description: "What a test does.",
    options: Type.Object({}),
    flow: { sets: ["answer"] },
    bounds: () => NO_BOUNDS,
    run: (_state, context) => run(context),
  });
}

describe("a fan-out", () => {
  it("goes on when one sample repeats a call too often", async () => {
    const asked = new Map<string, number>();
    const { outcome, events } = await runScripted(
      "tools: [stock]\nstrategy: { self-consistency: { samples: 5, do: { react: { maxSteps: 9 } } } }\n",
      ({ key }) => {
        const sample = /sample:(\d)/.exec(key)?.[1] ?? "";
        asked.set(sample, (asked.get(sample) ?? 0) + 1);
        return sample === "2" ? calling("stock", "nut") : "42";
      },
      { plugins: [stock] },
    );
    // Four calls, then the step without tools, which asks for one all the same.
    expect(asked.get("2")).toBe(6);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "42" } });
    expect(outcome.state.candidates).toHaveLength(4);
    expect(unbalanced(events)).toEqual([]);
  });

  it("goes on when a stage of one sample reaches a limit of its own", async () => {
    const { outcome } = await runScripted(
      "tools: [stock]\nstrategy: { self-consistency: { samples: 3, do: { react: { limits: { toolCalls: 1 } } } } }\n",
      ({ key, messages }) => {
        const isFirst = messages.at(-1)?.role === "user";
        return key.includes("sample:1") && isFirst ? calling("stock", "nut", "bolt") : "42";
      },
      { plugins: [stock] },
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "42" } });
  });

  it("ends limited with the answer of the vote when a sample reaches a limit of the run", async () => {
    const { outcome } = await runScripted(
      "strategy: { self-consistency: { samples: 5, maxParallel: 1, do: { direct: { when: answer.solvable } } } }\nlimits: { modelCalls: 4 }\n",
      () => "42",
    );
    expect(outcome).toMatchObject({ outcome: "limited", answer: { text: "42" } });
  });

  it("ends with a stop in one branch: asks for no other, and keeps the answer of that branch", async () => {
    const { outcome, events, requests } = await runScripted(
      `strategy:
  self-consistency:
    samples: 20
    maxParallel: 2
    do:
      - direct
      - stop: { reason: enough, when: 'answer.text == "stop here"' }
`,
      ({ key }) => (key.includes("sample:1/") ? "stop here" : key),
    );
    expect(outcome).toMatchObject({
      outcome: "done",
      reason: "enough",
      answer: { text: "stop here", solvable: true },
    });
    expect(requests.length).toBeLessThan(5);
    expect(unbalanced(events)).toEqual([]);
    expect(misnested(events)).toEqual([]);
  });

  it("ends with a broken contract in one branch, and asks for no other", async () => {
    const forger = strategyOf("forger", async () => ({
      answer: { text: "9", evidence: ["observation-9"] },
    }));
    const { outcome, events, requests } = await runScripted(
      "strategy: { self-consistency: { samples: 20, maxParallel: 2, do: [direct, forger] } }\n",
      () => "one",
      { plugins: [forger] },
    );
    expect(outcome).toMatchObject({
      outcome: "failed",
      fault: { code: "evidence-unknown" },
      answer: { text: "one" },
    });
    expect(requests.length).toBeLessThan(5);
    expect(unbalanced(events)).toEqual([]);
    expect(misnested(events)).toEqual([]);
  });

  it("stops its branches when the condition of its strategy throws", async () => {
    let begun = 0;
    const fan = strategyOf("own", async (context) => {
      const run = async () => {
        begun += 1;
      };
      const branches = Array.from({ length: 20 }, (_, index) => ({ key: `b${index}`, run }));
      const stopWhen = (): boolean => {
        throw new Error("no condition");
      };
      await context.fanOut(branches, { maxParallel: 2, stopWhen });
    });
    const { outcome } = await runScripted("strategy: [direct, own]\n", ["one"], {
      plugins: [fan],
    });
    expect(outcome).toMatchObject({ outcome: "failed", answer: { text: "one" } });
    expect(outcome.reason).toContain("no condition");
    expect(begun).toBeLessThan(5);
  });

  it("keeps what its branches observed when the run is aborted", async () => {
    const aborter = new AbortController();
    const { outcome } = await runScripted(
      "tools: [stock]\nstrategy: { self-consistency: { samples: 2, do: react } }\n",
      ({ key, messages }) => {
        if (messages.at(-1)?.role !== "tool") return calling("stock", "nut");
        if (key.includes("sample:1")) aborter.abort(new Error("enough"));
        return "4";
      },
      { plugins: [stock], settings: { signal: aborter.signal } },
    );
    expect(outcome.outcome).toBe("aborted");
    expect(outcome.state.observations.map(({ id }) => id)).toEqual([
      "sample:0.observation-1",
      "sample:1.observation-1",
    ]);
  });
});
