import { describe, expect, it, vi } from "vitest";
import type { RunEvent } from "../contracts/event.ts";
import { EventBus } from "./event-bus.ts";
import type { Scope } from "./scope.ts";
import { Redactor } from "./redactor.ts";

const scope = (spanId: string): Scope => ({ spanId, parentId: "run", key: spanId, stage: "s" });

function busWith(secrets: readonly string[] = []): { bus: EventBus; events: RunEvent[] } {
  const bus = new EventBus({ runId: "r", now: () => 1, redactor: new Redactor(secrets) });
  const events: RunEvent[] = [];
  bus.on("*", (event) => events.push(event));
  return { bus, events };
}

describe("an event bus", () => {
  it("stamps, redacts and freezes", () => {
    const { bus, events } = busWith(["secret-1"]);
    bus.emit("fact.told", { fact: "f", data: { list: ["secret-1"] } }, scope("a"));
    expect(events).toMatchObject([
      { v: 1, id: "r:0", seq: 0, time: 1, runId: "r", data: { data: { list: ["[redacted]"] } } },
    ]);
    const [event] = events as unknown as readonly { readonly data: { data: { list: string[] } } }[];
    expect([event, event?.data, event?.data.data.list].map(Object.isFrozen)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("hands events on in order, also those that a listener causes", () => {
    const { bus, events } = busWith();
    bus.on("step.start", () => bus.emit("fact.told", { fact: "inner", data: 1 }, scope("a")));
    const later: number[] = [];
    bus.on("*", ({ seq }) => later.push(seq));
    bus.emit("step.start", { index: 1, max: 1 }, scope("a"));
    expect(events.map(({ name }) => name)).toEqual(["step.start", "fact.told"]);
    expect(later).toEqual([0, 1]);
  });

  it("tells of a listener that throws, once an event, and never of one that throws at that", () => {
    const { bus, events } = busWith();
    bus.on("*", () => {
      throw new Error("broken");
    });
    bus.emit("step.start", { index: 1, max: 1 }, scope("a"));
    expect(events.map(({ name }) => name)).toEqual(["step.start", "sink.failed"]);
  });

  it("tells of a listener that rejects, and hears the rest", async () => {
    const { bus, events } = busWith(["secret-1"]);
    bus.on("step.start", async () => {
      throw new Error("broken by secret-1");
    });
    bus.emit("step.start", { index: 1, max: 1 }, scope("a"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(events.map(({ name }) => name)).toEqual(["step.start", "sink.failed"]);
    expect(events[1]).toMatchObject({
      spanId: "a",
      data: { sink: "listener", message: "broken by [redacted]" },
    });
  });

  it("warns of a listener that fails where nobody would hear of it", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const bus = new EventBus({ runId: "r", now: () => 1, redactor: new Redactor(["secret-1"]) });
    bus.on("step.start", async () => {
      await Promise.resolve();
      throw new Error("broken by secret-1");
    });
    bus.emit("step.start", { index: 1, max: 1 }, scope("a"));
    bus.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      "a listener of step.start failed: broken by [redacted]",
    ]);
    warn.mockRestore();
  });

  it("ends what is open when it is sealed, the innermost first, and is mute afterwards", () => {
    const { bus, events } = busWith();
    bus.emit("stage.start", { strategy: "react", path: "p" }, scope("a"));
    bus.emit("step.start", { index: 3, max: 4 }, scope("b"));
    bus.emit("tool-call.start", { tool: "t", callId: "c", arguments: "{}" }, scope("c"));
    bus.emit("step.start", { index: 1, max: 4 }, scope("d"));
    bus.emit("step.end", { index: 1, outcome: "done" }, scope("d"));
    bus.seal("aborted");
    bus.emit("fact.told", { fact: "late", data: 1 }, scope("a"));
    bus.seal("aborted");
    expect(events.slice(5).map(({ name, spanId }) => `${name} ${spanId}`)).toEqual([
      "tool-call.end c",
      "step.end b",
      "stage.end a",
    ]);
    expect(events.at(-1)?.data).toEqual({ strategy: "react", outcome: "aborted" });
  });

  it("forgets a listener that leaves", () => {
    const { bus } = busWith();
    const heard: RunEvent[] = [];
    const leave = bus.on("fact.told", (event) => heard.push(event));
    leave();
    bus.emit("fact.told", { fact: "f", data: 1 }, scope("a"));
    expect(heard).toEqual([]);
  });
});
