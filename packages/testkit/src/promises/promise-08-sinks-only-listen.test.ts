import { Clock, provide, type RunEvent } from "@loopwright/core";
import { defineSink, type Overflow, type Sink, Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { canonicalEvents } from "../events.ts";
import { testClock } from "../test-clock.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "./run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);
const BODY = "tools: [stock]\nstrategy: [react, { reflect: { id: reflect } }]\n";
const LESSON = { trigger: "t", failurePattern: "f", lesson: "l", avoid: "a" };
const REPLIES = [
  calling("stock", "nut", "bolt"),
  { text: "There are many words in this answer [observation-1]." },
  { json: LESSON },
];

function sinkOf(sink: Sink, overflow?: Overflow) {
  return defineSink({
    id: "odd",
    description: "An odd sink.",
    options: Type.Object({}),
    ...(overflow === undefined ? {} : { overflow }),
    create: () => sink,
  });
}

async function runWith(sink: Sink | undefined, overflow?: Overflow): Promise<ScriptedRun> {
  const clock = testClock();
  const plugins = sink === undefined ? [stock] : [stock, sinkOf(sink, overflow)];
  const body = sink === undefined ? BODY : `${BODY}sinks: [odd]\n`;
  return await runScripted(body, REPLIES, {
    plugins,
    services: [provide(Clock, clock)],
    onRun: (live) =>
      live.on("run.end", () => setImmediate(() => setImmediate(() => void clock.advance(5_000)))),
  });
}

/** What a run told and came to, the sinks' own troubles and the program's name for itself aside. */
function storyOf({ events, outcome }: ScriptedRun): readonly unknown[] {
  const own = events.filter(({ name }) => name !== "sink.failed" && name !== "events.dropped");
  const lines = canonicalEvents(own).filter((line) => !line.includes('"run.start"'));
  return [lines, outcome.outcome, outcome.answer, outcome.spending];
}

const never = new Promise<void>(() => undefined);
const throwing = (): never => {
  throw new Error("a broken sink");
};

const ODD: readonly (readonly [string, Sink])[] = [
  ["throws", { handle: throwing }],
  ["throws in its flush", { handle: () => undefined, flush: throwing }],
  ["rejects", { handle: () => Promise.reject(new Error("a broken sink")) }],
  ["hangs", { handle: () => never }],
  ["hangs in its flush", { handle: () => undefined, flush: () => never }],
  ["is slow", { handle: () => new Promise((resolve) => setImmediate(resolve)) }],
  [
    "changes what it is given",
    {
      handle: (event) => {
        const open = event as { name: string; data: Record<string, unknown> };
        try {
          open.name = "run.end";
        } catch {}
        try {
          open.data["text"] = "changed";
        } catch {}
        const lists = Object.values(event.data).filter((part) => Array.isArray(part));
        for (const list of lists) {
          try {
            (list as unknown[]).push("more");
          } catch {}
        }
      },
    },
  ],
];

describe("promise 8: a sink can't change or break a run", () => {
  it.each(ODD)("a sink that %s leaves events and outcome the same", async (_name, sink) => {
    const plain = await runWith(undefined);
    const odd = await runWith(sink);
    expect(storyOf(odd)).toEqual(storyOf(plain));
  });

  it("a listener of the host that throws is told, and others hear all in order", async () => {
    const plain = await runWith(undefined);
    const seqs: number[] = [];
    const odd = await runScripted(BODY, REPLIES, {
      plugins: [stock],
      services: [provide(Clock, testClock())],
      onRun: (live) => {
        live.on("tool-call.start", throwing);
        live.on("*", ({ seq }) => seqs.push(seq));
      },
    });
    expect(storyOf(odd)).toEqual(storyOf(plain));
    expect(odd.events.filter(({ name }) => name === "sink.failed")).toHaveLength(2);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  });

  it.each(["drop-deltas", "drop-oldest"] as const)(
    "a sink too slow for a flood loses no end and nothing about the run with %s",
    async (policy) => {
      const heard: RunEvent[] = [];
      let open: (() => void) | undefined;
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      const words = Array.from({ length: 400 }, (_, index) => `word-${index}`).join(" ");
      const slow: Sink = {
        handle: async (event) => {
          await gate;
          heard.push(event);
        },
      };
      const run = await runScripted("strategy: [direct, direct]\nsinks: [odd]\n", [words, words], {
        plugins: [sinkOf(slow, { maxEvents: 20, maxBytes: 1_000_000, policy })],
        onRun: (live) => live.on("run.end", () => open?.()),
      });
      const kept = (events: readonly RunEvent[]): readonly string[] =>
        events
          .filter(({ name }) => name.endsWith(".end") || name.startsWith("run."))
          .map(({ id }) => id);
      expect(kept(heard)).toEqual(kept(run.events));
      expect(heard.length).toBeLessThan(100);
      const told = run.events.find(({ name }) => name === "events.dropped");
      const count = told?.name === "events.dropped" ? told.data.count : 0;
      const own = heard.filter(({ name }) => name !== "events.dropped");
      expect(own.length + count).toBe(run.events.length - 1);
    },
  );

  it("a sink that may hold a run back, and hangs, holds it for seconds, not for ever", async () => {
    const clock = testClock();
    const overflow = { maxEvents: 1, maxBytes: 1_000_000, policy: "block" } as const;
    let isOver = false;
    const tick = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(1_000);
      if (!isOver) await tick();
    };
    const run = await runScripted(`${BODY}sinks: [odd]\n`, REPLIES, {
      plugins: [stock, sinkOf({ handle: () => never }, overflow)],
      services: [provide(Clock, clock)],
      onRun: () => void tick(),
    });
    isOver = true;
    expect(run.outcome.outcome).toBe("done");
    expect(run.outcome.durationMs).toBeLessThanOrEqual(11_000);
  });

  it("a sink that may hold a run back loses nothing", async () => {
    const heard: string[] = [];
    const overflow = { maxEvents: 2, maxBytes: 1_000_000, policy: "block" } as const;
    const slow: Sink = {
      handle: async ({ id }) => {
        await new Promise((resolve) => setImmediate(resolve));
        heard.push(id);
      },
    };
    const run = await runScripted(`${BODY}sinks: [odd]\n`, REPLIES, {
      plugins: [stock, sinkOf(slow, overflow)],
    });
    expect(heard).toEqual(run.events.map(({ id }) => id));
  });
});
