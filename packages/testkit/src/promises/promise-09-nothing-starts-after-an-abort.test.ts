import { Clock, provide, type RunEvent } from "@loopwright/core";
import {
  defineCheck,
  defineMemory,
  defineProvider,
  defineStrategy,
  NO_BOUNDS,
  Type,
} from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { type TestClock, testClock } from "../test-clock.ts";
import { misnested } from "./misnested.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "./run-scripted.ts";

const never = new Promise<never>(() => undefined);
const effects: string[] = [];
const stock = toolOf("stock", (item) => {
  effects.push(item);
  return `${item}: 4`;
});
const hanging = toolOf("hanging", () => never);

const notes = defineMemory({
  id: "notes",
  description: "Counts what is added.",
  options: Type.Object({}),
  create: () => ({
    recall: async () => [],
    add: async (lesson) => {
      effects.push("lesson");
      return { added: true, lesson: { ...lesson, id: "l", uses: 0 } };
    },
    list: async () => [],
    remove: async () => false,
    prune: async () => 0,
  }),
});

const BODY = `tools: { stock: { approval: { when: args.item == "bolt" } } }
memory: { notes: {} }
strategy:
  - self-consistency: { samples: 2, do: { react: { id: sampled, maxSteps: 2 } } }
  - react: { maxSteps: 3 }
  - verify: { maxRounds: 1, revise: refine }
  - reflect: { into: notes, always: true }
`;

function replies(): readonly ScriptedReply[] {
  return [
    { stage: "sampled", key: "sample:0/sampled:0/generate:0", ...calling("stock", "nut") },
    { stage: "sampled", text: "4", times: "always" },
    { stage: "react", ...calling("stock", "bolt", "nut") },
    { stage: "react", text: "4" },
    { stage: "verify", json: { outcome: "fail", issues: [], supportedEvidence: [] } },
    {
      stage: "reflect",
      json: { trigger: "t", failurePattern: "f", lesson: "l", avoid: "a" },
    },
  ];
}

interface Aborted extends ScriptedRun {
  /** What was done after the abort. */
  readonly later: readonly string[];
}

async function abortAt(seq: number): Promise<Aborted> {
  let done = -1;
  let asked = -1;
  const requests: string[] = [];
  effects.length = 0;
  const run = await runScripted(
    BODY,
    (request) => {
      requests.push(request.key);
      return script(request.key, request.stage);
    },
    {
      plugins: [stock, notes],
      services: [provide(Clock, testClock())],
      onRun: (live) =>
        live.on("*", (event) => {
          if (event.seq === seq) {
            [done, asked] = [effects.length, requests.length];
            live.abort();
          } else if (event.name === "approval.requested") {
            live.respond(event.data.id, { approved: true });
          }
        }),
    },
  );
  return { ...run, later: done < 0 ? [] : [...effects.slice(done), ...requests.slice(asked)] };
}

/** The same replies, chosen by the key, so that no order of branches matters. */
function script(key: string, stage: string): ScriptedReply {
  const fits = replies().filter((reply) => reply.stage === stage);
  const index = Number(/generate:(\d+)$/.exec(key)?.[1] ?? "0");
  if (stage === "sampled" && !key.includes("sample:0/")) return { text: "4" };
  return fits[index] ?? { text: "4" };
}

async function abortIn(
  body: string,
  options: Parameters<typeof runScripted>[2],
  at: RunEvent["name"],
  given: readonly (ScriptedReply | string)[] = [],
): Promise<{ readonly run: ScriptedRun; readonly tookMs: number; readonly clock: TestClock }> {
  const clock = testClock();
  let abortedAt = Number.NaN;
  const run = await runScripted(body, given, {
    ...options,
    services: [provide(Clock, clock)],
    onRun: (live) =>
      live.on(at, () =>
        setImmediate(() => {
          abortedAt = clock.now();
          live.abort("enough");
          // What core itself waits for has ended by then.
          setImmediate(() => void clock.advance(100));
        }),
      ),
  });
  expect(run.outcome).toMatchObject({ outcome: "aborted", reason: "enough" });
  expect(unbalanced(run.events)).toEqual([]);
  expect(misnested(run.events)).toEqual([]);
  return { run, clock, tookMs: (run.events.at(-1)?.time ?? Number.NaN) - abortedAt };
}

describe("promise 9: after an abort no side effect starts", () => {
  it("wherever in a run it comes", async () => {
    const whole = await abortAt(-1);
    expect(whole.outcome).toMatchObject({ outcome: "done", verified: "fail" });
    expect(effects.toSorted()).toEqual(["bolt", "lesson", "nut", "nut"]);
    for (let seq = 0; seq < whole.events.length - 1; seq += 1) {
      const run = await abortAt(seq);
      expect(run.outcome.outcome, `at ${seq}`).toBe("aborted");
      expect(run.later, `at ${seq}, ${whole.events[seq]?.name}`).toEqual([]);
      expect(unbalanced(run.events)).toEqual([]);
      expect(misnested(run.events)).toEqual([]);
    }
  });

  it("before the first stage", async () => {
    const run = await runScripted("strategy: direct\n", [], {
      settings: { signal: AbortSignal.abort(new Error("too late")) },
    });
    expect(run.outcome).toMatchObject({ outcome: "aborted", reason: "too late" });
    expect(run.requests).toEqual([]);
    expect(eventNames(run.events)).not.toContain("model-call.start");
  });

  it("while a tool ignores the signal: the end comes at once", async () => {
    const { run, tookMs, clock } = await abortIn(
      "tools: [hanging]\nstrategy: react\n",
      { plugins: [hanging] },
      "tool-call.start",
      [calling("hanging", "x", "y")],
    );
    expect(tookMs).toBe(0);
    expect(run.requests).toHaveLength(1);
    expect(clock.timers).toBe(0);
  });

  it("while a model ignores the signal, with a fallback that is never asked", async () => {
    const deaf = defineProvider({
      id: "deaf",
      description: "Never answers.",
      options: Type.Object({}),
      create: () => ({
        generate: () => never,
        capabilities: () => ({ tools: true, structured: "json-schema" }),
      }),
    });
    const body = "model: { use: deaf/x, fallback: [stub/model] }\nstrategy: direct\n";
    const { run, tookMs } = await abortIn(body, { plugins: [deaf] }, "model-call.start");
    expect(tookMs).toBe(0);
    expect(run.requests).toEqual([]);
  });

  it("while a model that notices the abort fails in words of its own, with a fallback that is never asked", async () => {
    const touchy = defineProvider({
      id: "touchy",
      description: "Fails when aborted.",
      options: Type.Object({}),
      create: () => ({
        generate: (_request, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("socket closed")));
          }),
        capabilities: () => ({ tools: true, structured: "json-schema" }),
      }),
    });
    const body = "model: { use: touchy/x, fallback: [stub/model] }\nstrategy: direct\n";
    const { run } = await abortIn(body, { plugins: [touchy] }, "model-call.start");
    expect(run.requests).toEqual([]);
    expect(run.events.find(({ name }) => name === "model-call.end")?.data).toMatchObject({
      outcome: "aborted",
    });
  });

  it.each([
    [
      "an approval",
      "tools: { hanging: { approval: always } }\nstrategy: react\n",
      "approval.requested",
    ],
    ["an answer", "strategy: [{ ask: { question: Who? } }, direct]\n", "question.asked"],
  ] as const)("while it waits for %s", async (_what, body, at) => {
    const { run, tookMs, clock } = await abortIn(body, { plugins: [hanging] }, at, [
      calling("hanging", "x"),
    ]);
    expect(tookMs).toBe(0);
    expect(eventNames(run.events)).not.toContain("model-call.start direct");
    expect(clock.timers).toBe(0);
  });

  it("while a memory never answers", async () => {
    const deaf = { ...notes, create: (() => ({ recall: () => never })) as never };
    const { tookMs } = await abortIn(
      "memory: { notes: {} }\nstrategy: [{ recall: { from: notes } }, direct]\n",
      { plugins: [deaf] },
      "stage.start",
    );
    expect(tookMs).toBe(0);
  });

  it("in a fan-out: no further branch asks a model", async () => {
    const { run } = await abortIn(
      "strategy: { self-consistency: { samples: 6, maxParallel: 2, do: direct } }\n",
      {},
      "model-call.start",
      Array.from({ length: 6 }, () => ({ text: "4", delayMs: 1_000 })),
    );
    expect(run.requests).toHaveLength(2);
  });

  it("while a strategy of somebody else ignores it for ever, and is not heard afterwards", async () => {
    let wake: (() => void) | undefined;
    const deaf = defineStrategy({
      id: "deaf",
      description: "Waits for something that never comes.",
      options: Type.Object({}),
      flow: { sets: ["answer"] },
      bounds: () => NO_BOUNDS,
      run: async (_state, context) => {
        context.step(1, 1);
        context.save({ answer: { text: "partial" } });
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        context.fact("too-late", 1);
        await context.generate({ prompt: "too late" });
      },
    });
    const body = 'strategy: { loop: { maxRounds: 1, until: "false", do: deaf } }\n';
    const { run, tookMs, clock } = await abortIn(body, { plugins: [deaf] }, "answer.given");
    expect(tookMs).toBeLessThanOrEqual(100);
    expect(eventNames(run.events).slice(-6)).toEqual([
      "answer.given",
      "step.end",
      "stage.end deaf",
      "step.end",
      "stage.end loop",
      "run.end",
    ]);
    const count = run.events.length;
    wake?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(run.events).toHaveLength(count);
    expect(run.requests).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it("in a strategy that makes an error of its own of it: neither onError nor a later stage hides the abort", async () => {
    let ran = 0;
    const stubborn = defineStrategy({
      id: "stubborn",
      description: "Catches what it should not.",
      options: Type.Object({}),
      flow: { sets: ["answer"] },
      bounds: () => NO_BOUNDS,
      run: async (_state, context) => {
        ran += 1;
        if (ran > 1) return { answer: { text: "went on" } };
        await context.askPerson({ question: "Who?" }).catch(() => {
          throw new Error("my own");
        });
        return {};
      },
    });
    const { run } = await abortIn(
      "strategy:\n  - stubborn: { onError: continue }\n  - stubborn: { id: later, always: true }\n",
      { plugins: [stubborn] },
      "question.asked",
    );
    const ends = run.events.filter((event) => event.name === "stage.end");
    expect(ends.map(({ data }) => data.outcome)).toEqual(["aborted"]);
    expect(ran).toBe(1);
  });

  it("before a stage that asks for nothing: it does not run", async () => {
    let ran = 0;
    const silent = defineStrategy({
      id: "silent",
      description: "Uses no verb.",
      options: Type.Object({}),
      flow: { sets: ["answer"] },
      bounds: () => NO_BOUNDS,
      run: async () => {
        ran += 1;
      },
    });
    const run = await runScripted("strategy: [direct, silent]\n", ["one"], {
      plugins: [silent],
      onRun: (live) => live.on("stage.end", () => live.abort()),
    });
    expect(run.outcome).toMatchObject({ outcome: "aborted", answer: { text: "one" } });
    expect(ran).toBe(0);
  });

  it("while a check of somebody else ignores it for ever", async () => {
    const deaf = defineCheck({
      id: "deaf",
      description: "Never decides.",
      options: Type.Object({}),
      run: () => never,
    });
    const { tookMs } = await abortIn(
      "strategy: [direct, { verify: { id: verify, checks: [deaf] } }]\n",
      { plugins: [deaf] },
      "stage.end",
      ["one"],
    );
    expect(tookMs).toBe(0);
  });

  it("within two seconds of real time", async () => {
    const deaf = defineStrategy({
      id: "deaf",
      description: "Never ends.",
      options: Type.Object({}),
      flow: { sets: ["answer"] },
      bounds: () => NO_BOUNDS,
      run: () => never,
    });
    let abortedAt = Number.NaN;
    for (const body of ["strategy: deaf\n", "tools: [hanging]\nstrategy: react\n"]) {
      const run = await runScripted(body, [calling("hanging", "x")], {
        plugins: [deaf, hanging],
        onRun: (live) =>
          live.on("stage.start", () =>
            setTimeout(() => {
              abortedAt = Date.now();
              live.abort();
            }, 20),
          ),
      });
      expect(run.outcome.outcome).toBe("aborted");
      expect(Date.now() - abortedAt).toBeLessThan(2_000);
    }
  });
});
