import { describe, expect, it } from "vitest";
import type { RunEvent } from "../contracts/event.ts";
import type { Clock } from "../contracts/service.ts";
import type { Overflow } from "../contracts/sink.ts";
import { SinkQueue } from "./sink-queue.ts";

const still: Clock = { now: () => 0, after: () => () => undefined };

function event(name: string, text = ""): RunEvent {
  const data = { text, reasoning: "", content: text, messages: [] };
  return { name, data } as unknown as RunEvent;
}

/** Pushes events at a sink that takes nothing before all are there; tells what it got and lost. */
async function flood(
  overflow: Overflow,
  events: readonly RunEvent[],
): Promise<{ readonly heard: readonly RunEvent[]; readonly dropped: number }> {
  const heard: RunEvent[] = [];
  let dropped = 0;
  const queue = new SinkQueue({
    name: "slow",
    sink: { handle: (one) => void heard.push(one) },
    overflow,
    clock: still,
    report: {
      failed: () => undefined,
      dropped: (count) => {
        dropped += count;
      },
    },
  });
  for (const one of events) queue.push(one);
  await queue.flush();
  return { heard, dropped };
}

const MIXED = Array.from({ length: 90 }, (_, index) =>
  event(["fact.told", "stage.end", "model-call.delta"][index % 3] ?? "", `${index}`),
);

describe("a sink's queue", () => {
  it("keeps all there is room for, in order", async () => {
    const overflow = { maxEvents: 100, maxBytes: 1e6, policy: "drop-oldest" } as const;
    expect(await flood(overflow, MIXED)).toEqual({ heard: MIXED, dropped: 0 });
  });

  it("hands on and counts nothing that its sink does not want", async () => {
    const heard: RunEvent[] = [];
    const lost: number[] = [];
    const queue = new SinkQueue({
      name: "choosy",
      sink: {
        wants: ({ name }) => name !== "model-call.delta",
        handle: (one) => void heard.push(one),
      },
      overflow: { maxEvents: 60, maxBytes: 1e6, policy: "drop-deltas" },
      clock: still,
      report: { failed: () => undefined, dropped: (count) => void lost.push(count) },
    });
    for (const one of MIXED) queue.push(one);
    await queue.flush();
    expect(heard).toEqual(MIXED.filter(({ name }) => name !== "model-call.delta"));
    expect(lost).toEqual([]);
  });

  it("drops deltas first, then the oldest facts, never an end", async () => {
    const overflow = { maxEvents: 40, maxBytes: 1e6, policy: "drop-oldest" } as const;
    const { heard, dropped } = await flood(overflow, MIXED);
    const ends = MIXED.filter(({ name }) => name === "stage.end");
    expect(heard.filter(({ name }) => name === "stage.end")).toEqual(ends);
    expect(heard.length).toBeLessThanOrEqual(40);
    expect(heard.length + dropped).toBe(MIXED.length);
    const facts = MIXED.filter(({ name }) => name === "fact.told");
    const kept = heard.filter(({ name }) => name === "fact.told");
    expect(kept).toEqual(facts.slice(-kept.length));
  });

  it("drops deltas alone where the policy says so, while the rest is no flood", async () => {
    const overflow = { maxEvents: 20, maxBytes: 1e6, policy: "drop-deltas" } as const;
    const { heard } = await flood(overflow, MIXED);
    const others = MIXED.filter(({ name }) => name !== "model-call.delta");
    expect(heard.filter(({ name }) => name !== "model-call.delta")).toEqual(others);
  });

  it("drops the oldest facts too at four times as much, never an end or what a run tells", async () => {
    const overflow = { maxEvents: 10, maxBytes: 1e6, policy: "drop-deltas" } as const;
    const told = Array.from({ length: 500 }, (_, index) =>
      event(
        index % 50 === 0 ? "run.suspended" : index % 50 === 1 ? "step.end" : "fact.told",
        `${index}`,
      ),
    );
    const { heard, dropped } = await flood(overflow, told);
    expect(heard).toHaveLength(40);
    expect(dropped).toBe(460);
    const kept = (list: readonly RunEvent[]): readonly RunEvent[] =>
      list.filter(({ name }) => name !== "fact.told");
    expect(kept(heard)).toEqual(kept(told));
    expect(heard.filter(({ name }) => name === "fact.told")).toEqual(
      told.filter(({ name }) => name === "fact.told").slice(-20),
    );
  });

  it("counts bytes there as well", async () => {
    const overflow = { maxEvents: 1_000, maxBytes: 10_000, policy: "drop-deltas" } as const;
    const big = Array.from({ length: 200 }, () => event("observation.recorded", "x".repeat(600)));
    const { heard, dropped } = await flood(overflow, big);
    expect([heard.length, dropped]).toEqual([40, 160]);
  });

  it("keeps all for a sink that holds the run back, until it is given up", async () => {
    const overflow = { maxEvents: 2, maxBytes: 1e6, policy: "block" } as const;
    expect(await flood(overflow, MIXED)).toEqual({ heard: MIXED, dropped: 0 });
    const heard: RunEvent[] = [];
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const queue = new SinkQueue({
      name: "stuck",
      sink: {
        handle: async (one) => {
          await gate;
          heard.push(one);
        },
      },
      overflow,
      clock: {
        now: () => 0,
        after: (_ms, callback) => (queueMicrotask(callback), () => undefined),
      },
      report: { failed: () => undefined, dropped: () => undefined },
    });
    for (const one of MIXED.slice(0, 9)) queue.push(one);
    await queue.room();
    for (const one of MIXED.slice(9)) queue.push(one);
    open?.();
    await new Promise((resolve) => setImmediate(resolve));
    const ends = MIXED.filter(({ name }) => name === "stage.end");
    expect(heard.filter(({ name }) => name === "stage.end")).toEqual(ends);
    expect(heard.length).toBeLessThan(40);
  });

  it("counts bytes as well as events", async () => {
    const overflow = { maxEvents: 1_000, maxBytes: 10_000, policy: "drop-oldest" } as const;
    const big = Array.from({ length: 50 }, () => event("observation.recorded", "x".repeat(600)));
    const { heard, dropped } = await flood(overflow, big);
    expect(heard).toHaveLength(10);
    expect(dropped).toBe(40);
  });
});
