import type { RunEvent } from "@loopwright/core";
import { defineProvider, defineStrategy, NO_BOUNDS, Type } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { testClock } from "../test-clock.ts";
import { misnested } from "./misnested.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "./run-scripted.ts";
import { Clock, provide } from "@loopwright/core";

const stock = toolOf("stock", (item) => `${item}: 4`);
const hanging = toolOf("hanging", () => new Promise(() => undefined));

/** A run through every verb: recall, generate, callTools, runSlot, fanOut, runChecks, askPerson, remember. */
const EVERY_VERB = `tools: [stock]
memory: { notes: { use: in-process } }
strategy:
  - recall: { from: notes }
  - ask: { question: Which one?, onTimeout: continue }
  - self-consistency: { samples: 2, maxParallel: 2, do: { react: { id: sampled, maxSteps: 2 } } }
  - react: { maxSteps: 3 }
  - verify: { checks: [evidence], maxRounds: 1, revise: refine }
  - reflect: { into: notes, always: true }
`;

const LESSON = { trigger: "t", failurePattern: "f", lesson: "l", avoid: "a" };

function replies(): readonly ScriptedReply[] {
  const judgement = { outcome: "pass", issues: [], supportedEvidence: [] };
  return [
    { stage: "sampled", text: "4", times: 2 },
    { stage: "react", ...calling("stock", "nut", "bolt") },
    { stage: "react", text: "There are 4 [observation-1]." },
    { stage: "verify", json: judgement, times: "always" },
    { stage: "refine", text: "There are 4 [observation-1]." },
    { stage: "reflect", json: LESSON },
  ];
}

function expectOneEnd(run: ScriptedRun): void {
  expect(unbalanced(run.events)).toEqual([]);
  expect(misnested(run.events)).toEqual([]);
  const ends = run.events.filter((event) => event.name === "run.end");
  expect(ends.map((event) => event.data)).toMatchObject([{ outcome: run.outcome.outcome }]);
}

/** Answers every question and approval at once. */
function answering(event: RunEvent, respond: (id: string) => void): void {
  if (event.name === "question.asked") queueMicrotask(() => respond(event.data.id));
}

describe("promise 2: every start meets exactly one end", () => {
  it("when all goes well, through every verb", async () => {
    const run = await runScripted(EVERY_VERB, replies(), {
      plugins: [stock],
      onRun: (live) =>
        live.on("*", (event) => answering(event, (id) => live.respond(id, { reply: "nuts" }))),
    });
    expect(run.outcome).toMatchObject({ outcome: "done", verified: "pass" });
    expectOneEnd(run);
  });

  it("when the host aborts at any event of the run", async () => {
    const whole = await runScripted(EVERY_VERB, replies(), {
      plugins: [stock],
      onRun: (live) =>
        live.on("*", (event) => answering(event, (id) => live.respond(id, { reply: "nuts" }))),
    });
    for (let seq = 0; seq < whole.events.length - 1; seq += 1) {
      const run = await runScripted(EVERY_VERB, replies(), {
        plugins: [stock],
        onRun: (live) =>
          live.on("*", (event) => {
            if (event.seq === seq) live.abort("enough");
            else answering(event, (id) => live.respond(id, { reply: "nuts" }));
          }),
      });
      expect(run.outcome, `at ${seq}`).toMatchObject({ outcome: "aborted", reason: "enough" });
      expectOneEnd(run);
    }
  });

  it("when it fails, is limited, or stops", async () => {
    const failed = await runScripted("strategy: direct\n", [
      { error: { code: "provider-failed", message: "down" } },
    ]);
    expect(failed.outcome).toMatchObject({ outcome: "failed", fault: { code: "provider-failed" } });
    expectOneEnd(failed);
    const limited = await runScripted(
      "strategy: [direct, direct, { direct: { when: answer.solvable } }]\nlimits: { modelCalls: 2 }\n",
      ["one", "two"],
    );
    expect(limited.outcome.outcome).toBe("limited");
    expectOneEnd(limited);
    const stopped = await runScripted("strategy: [direct, { stop: { reason: full } }]\n", ["one"]);
    expect(stopped.outcome).toMatchObject({ outcome: "done", reason: "full" });
    expectOneEnd(stopped);
  });

  it("when nobody is there to be asked", async () => {
    const run = await runScripted("strategy: [{ ask: { question: Who? } }, direct]\n", ["one"], {
      settings: { isPersonPresent: false },
    });
    expect(run.outcome).toMatchObject({ outcome: "done", reason: "Nobody replied to: Who?" });
    expectOneEnd(run);
  });

  it("when a tool never returns and the run is aborted", async () => {
    const run = await runScripted(
      "tools: [hanging]\nstrategy: react\n",
      [calling("hanging", "x")],
      {
        plugins: [hanging],
        services: [provide(Clock, testClock())],
        onRun: (live) => live.on("tool-call.start", () => setImmediate(() => live.abort())),
      },
    );
    expect(run.outcome.outcome).toBe("aborted");
    expect(eventNames(run.events)).toContain("tool-call.end hanging");
    expectOneEnd(run);
  });

  it("when a strategy throws at once, or rejects with something that is no error", async () => {
    for (const thrown of [new TypeError("a bug"), "text", undefined, null, { a: 1 }]) {
      const broken = defineStrategy({
        id: "broken",
        description: "Throws.",
        options: Type.Object({}),
        flow: { sets: ["answer"] },
        bounds: () => NO_BOUNDS,
        run: () => {
          throw thrown;
        },
      });
      const run = await runScripted("strategy: [direct, broken]\n", ["one"], { plugins: [broken] });
      expect(run.outcome).toMatchObject({ outcome: "failed", answer: { text: "one" } });
      expectOneEnd(run);
    }
  });

  it("when a provider throws at once, also while it tells its capabilities", async () => {
    const capabilities = { tools: true, structured: "json-schema" } as const;
    const fail = (): never => {
      throw new TypeError("a bug");
    };
    for (const provider of [
      { generate: fail, capabilities: () => capabilities },
      { generate: async () => undefined as never, capabilities: () => capabilities },
      { generate: async () => ({ message: {} }) as never, capabilities: () => capabilities },
      { generate: fail, capabilities: fail },
    ]) {
      const broken = defineProvider({
        id: "broken",
        description: "Throws.",
        options: Type.Object({}),
        create: () => provider,
      });
      const run = await runScripted("model: broken/x\nstrategy: direct\n", [], {
        plugins: [broken],
      });
      expect(run.outcome.outcome).toBe("failed");
      expectOneEnd(run);
    }
  });

  it("when a branch opens a step of its own and fails in it", async () => {
    const branching = defineStrategy({
      id: "branching",
      description: "Opens steps in branches.",
      options: Type.Object({}),
      flow: { sets: ["answer"] },
      bounds: () => NO_BOUNDS,
      run: async (_state, context) => {
        await context.fanOut([
          {
            key: "a",
            run: async (inner) => {
              inner.step(1, 1);
            },
          },
          {
            key: "b",
            run: async (inner) => {
              inner.step(1, 1);
              throw new Error("a bug");
            },
          },
        ]);
        return { answer: { text: "done" } };
      },
    });
    const run = await runScripted("strategy: branching\n", [], { plugins: [branching] });
    expect(run.outcome.outcome).toBe("done");
    expectOneEnd(run);
  });
});
