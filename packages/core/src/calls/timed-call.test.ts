import { describe, expect, it } from "vitest";
import { testClock } from "../../../testkit/src/test-clock.ts";
import type { Clock } from "../contracts/service.ts";
import { TimedCall } from "./timed-call.ts";

const never = (): Promise<never> => new Promise(() => undefined);
const timeout = { totalMs: 600_000, firstMs: 120_000, idleMs: 60_000 };

function open(streams = true, aborter = new AbortController()) {
  const clock = testClock();
  const { signal } = aborter;
  const timed = new TimedCall({ clock, signal, timeout, streams, model: "a/b" });
  return { clock, timed, aborter };
}

/** What a call came to, as soon as it did. */
function outcomeOf(work: Promise<unknown>): { value?: unknown } {
  const outcome: { value?: unknown } = {};
  work.then(
    (value) => (outcome.value = value),
    (fault: unknown) => (outcome.value = fault),
  );
  return outcome;
}

describe("a call in limited time", () => {
  it("gives its reply and leaves no timer", async () => {
    const { clock, timed } = open();
    expect(await timed.run(async () => "reply")).toBe("reply");
    expect(clock.timers).toBe(0);
    expect(timed.signal.aborted).toBe(false);
  });

  it.each([
    ["timeout.first", true, 0, 120_000],
    ["timeout.idle", true, 2, 60_000],
    ["timeout.total", false, 0, 600_000],
  ] as const)("ends at `%s`, although the provider goes on", async (limit, streams, pieces, ms) => {
    const { clock, timed } = open(streams);
    const outcome = outcomeOf(timed.run(never));
    for (let piece = 0; piece < pieces; piece++) {
      await clock.advance(30_000);
      timed.onActivity();
    }
    await clock.advance(ms - 1);
    expect(outcome.value).toBeUndefined();
    await clock.advance(1);
    expect(outcome.value).toMatchObject({
      code: "provider-timeout",
      retryable: true,
      details: { limit, ms },
    });
    expect(String(outcome.value)).toContain(`raise \`${limit}\``);
    expect(timed.signal.reason).toBe(outcome.value);
    expect(timed.hasBegun).toBe(pieces > 0);
    expect(clock.timers).toBe(0);
  });

  it("ends at its total also while pieces come", async () => {
    const { clock, timed } = open();
    const outcome = outcomeOf(timed.run(never));
    for (let piece = 0; piece < 20; piece++) {
      await clock.advance(30_000);
      timed.onActivity();
    }
    expect(outcome.value).toMatchObject({ details: { limit: "timeout.total" } });
  });

  it("ends at once when what is around it ends, and starts nothing after that", async () => {
    const { clock, timed, aborter } = open();
    const outcome = outcomeOf(timed.run(never));
    const reason = new Error("stop");
    aborter.abort(reason);
    await clock.advance(0);
    expect(outcome.value).toBe(reason);
    expect(timed.signal.reason).toBe(reason);
    expect(clock.timers).toBe(0);
    let started = 0;
    const late = open(true, aborter).timed.run(async () => ++started);
    await expect(late).rejects.toBe(reason);
    expect(started).toBe(0);
  });

  it("uses a signal again that never aborted, and none that did", async () => {
    const { timed, aborter, clock } = open();
    await timed.run(async () => "reply");
    const second = open(true, aborter);
    expect(second.timed.signal).toBe(timed.signal);
    const beside = open(true, aborter);
    expect(beside.timed.signal).not.toBe(timed.signal);
    const outcome = outcomeOf(second.timed.run(never));
    await second.clock.advance(timeout.firstMs);
    expect(outcome.value).toMatchObject({ code: "provider-timeout" });
    expect(open(true, aborter).timed.signal.aborted).toBe(false);
    expect(clock.timers).toBe(0);
  });

  it("has its time from where it was when the clock is set back", async () => {
    let now = 1e12;
    const waits: number[] = [];
    let fire: (() => void) | undefined;
    const clock: Clock = {
      now: () => now,
      after: (ms, callback) => {
        waits.push(ms);
        fire = callback;
        return () => undefined;
      },
    };
    const { signal } = new AbortController();
    const timed = new TimedCall({ clock, signal, timeout, streams: true, model: "a/b" });
    const outcome = outcomeOf(timed.run(never));
    now -= 3_600_000;
    timed.onActivity();
    expect(waits).toEqual([timeout.firstMs, timeout.idleMs]);
    expect(timed.durationMs).toBe(0);
    now += timeout.idleMs;
    fire?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcome.value).toMatchObject({ details: { limit: "timeout.idle" } });
  });

  it("warns of no leak where providers leave their listeners on a signal that is used again", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on("warning", note);
    const { signal } = open().timed;
    for (let count = 0; count < 20; count++) signal.addEventListener("abort", () => count);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });
});
