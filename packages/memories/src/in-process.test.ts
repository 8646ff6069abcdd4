import type { Clock, Memory } from "@loopwright/core/plugin";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inProcess } from "./in-process.ts";

const START = Date.UTC(2026, 7, 24);
const DAY = 86_400_000;

function open(options: { ttl?: number; max?: number } = {}): {
  memory: Memory;
  clock: { time: number };
} {
  const clock = { time: START };
  const service: Clock = { now: () => clock.time, after: () => () => undefined };
  const create = inProcess.create as (options: object, services: { clock: Clock }) => Memory;
  return { memory: create({ max: 1000, ...options }, { clock: service }), clock };
}

const draft = (trigger: string, lesson: string, more: { time?: string; scope?: string } = {}) => ({
  trigger,
  failurePattern: "",
  lesson,
  avoid: "",
  source: "run-1",
  time: new Date(START).toISOString(),
  scope: "order-desk",
  ...more,
});
const query = { text: "where is my parcel", scope: "order-desk", max: 3 };

describe("in-process", () => {
  it("recalls what it was given, counting each use", async () => {
    const { memory } = open();
    const { added, lesson } = await memory.add(draft("parcel", "read the order"));
    expect(added).toBe(true);
    expect(lesson).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{12}$/u), uses: 0 });
    expect(await memory.recall(query)).toEqual([{ ...lesson, uses: 1 }]);
    expect(await memory.recall(query)).toEqual([{ ...lesson, uses: 2 }]);
    expect(await memory.list()).toEqual([{ ...lesson, uses: 2 }]);
  });

  it("refuses what a kept lesson says already, within one scope", async () => {
    const { memory } = open();
    const first = await memory.add(draft("parcel", "read the order"));
    expect(await memory.add(draft("Parcel ", "Read the order."))).toEqual({
      added: false,
      lesson: first.lesson,
    });
    expect(await memory.add(draft("parcel", "read the order", { scope: "other" }))).toMatchObject({
      added: true,
    });
  });

  it("recalls the lessons of the query's scope alone", async () => {
    const { memory } = open();
    await memory.add(draft("parcel", "read the order", { scope: "other" }));
    expect(await memory.recall(query)).toEqual([]);
  });

  it("never recalls an expired lesson, and learns it again", async () => {
    const { memory, clock } = open({ ttl: 90 * DAY });
    const { lesson } = await memory.add(draft("parcel", "read the order"));
    expect(lesson.expires).toBe(new Date(START + 90 * DAY).toISOString());
    clock.time = START + 90 * DAY - 1;
    expect(await memory.recall(query)).toHaveLength(1);
    clock.time += 1;
    expect(await memory.recall(query)).toEqual([]);
    const again = draft("parcel", "read the order", { time: new Date(clock.time).toISOString() });
    expect(await memory.add(again)).toMatchObject({ added: true });
    expect(await memory.prune()).toBe(1);
    expect(await memory.list()).toHaveLength(1);
  });

  it("keeps a lesson's own end", async () => {
    const { memory } = open({ ttl: DAY });
    const expires = new Date(START + 5 * DAY).toISOString();
    const { lesson } = await memory.add({ ...draft("parcel", "read the order"), expires });
    expect(lesson.expires).toBe(expires);
  });

  it("lets the least used lessons go, the oldest first, when it is full", async () => {
    const { memory } = open({ max: 2 });
    await memory.add(draft("parcel", "read the order"));
    await memory.recall(query);
    await memory.add(draft("refund", "name the policy"));
    await memory.add(draft("address", "ask a person"));
    expect((await memory.list()).map(({ trigger }) => trigger)).toEqual(["parcel", "address"]);
  });

  it("removes by id", async () => {
    const { memory } = open();
    const { lesson } = await memory.add(draft("parcel", "read the order"));
    expect(await memory.remove("unknown")).toBe(false);
    expect(await memory.remove(lesson.id)).toBe(true);
    expect(await memory.list()).toEqual([]);
  });

  it("gives every kept lesson an id of its own and takes any text", async () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, text), { maxLength: 12 }),
        text,
        async (said, asked) => {
          const { memory } = open();
          for (const [trigger, lesson] of said) await memory.add(draft(trigger, lesson));
          const kept = await memory.list();
          expect(new Set(kept.map(({ id }) => id)).size).toBe(kept.length);
          const recalled = await memory.recall({ ...query, text: asked, max: 50 });
          expect(recalled).toHaveLength(kept.length);
        },
      ),
    );
  });
});
