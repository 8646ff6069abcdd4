import type { RunEvent } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import type { EventCollector } from "./memory/event-collector.ts";
import { memorySink } from "./memory/memory-sink.ts";
import { memory } from "./memory.ts";

const event = (seq: number) => ({ seq, name: "step.end" }) as RunEvent;

describe("memory", () => {
  it("exposes what it heard, the last ones where there is too much", () => {
    const sink = (memory.create as (options: object, services: object) => EventCollector)(
      { max: 2 },
      {},
    );
    for (const seq of [0, 1, 2]) void sink.handle(event(seq));
    expect(sink.events.map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

describe("memorySink", () => {
  it("is a plugin whose events its maker reads", () => {
    const { definition, events } = memorySink("ears");
    expect(definition).toMatchObject({ kind: "sink", id: "ears" });
    const create = definition.create as (options: object, services: object) => EventCollector;
    void create({}, {}).handle(event(0));
    void create({}, {}).handle(event(1));
    expect(events.map(({ seq }) => seq)).toEqual([0, 1]);
  });
});
