import { beforeAll, describe, expect, it } from "vitest";
import { testClock } from "../../../testkit/src/test-clock.ts";
import type { CallPolicy } from "../program/program.ts";
import { Account, type Pass } from "./account.ts";

const policy = (more: Partial<CallPolicy>): CallPolicy => ({
  timeout: { totalMs: 1, firstMs: 1, idleMs: 1 },
  retry: { attempts: 3, firstMs: 1_000, maxMs: 60_000 },
  ...more,
});

function open(more: Partial<CallPolicy> = {}) {
  const clock = testClock(0);
  const account = new Account(clock);
  account.restrict(policy(more));
  const log: string[] = [];
  const passes = new Map<string, Pass>();
  const enter = (
    name: string,
    { tokens = 0, signal = new AbortController().signal, patienceMs = 60_000 } = {},
  ): void => {
    account
      .enter({
        model: name,
        tokens,
        signal,
        patienceMs,
        tell: (reason, waitMs) => log.push(`${name} ${reason} ${waitMs}`),
      })
      .then(
        (pass) => {
          passes.set(name, pass);
          return log.push(`${name} goes at ${clock.now()}`);
        },
        (fault: Error) => log.push(`${name} fails: ${fault.message}`),
      );
  };
  return { clock, account, log, passes, enter };
}

// An account loads it when it first needs it, which takes no time of the clock, but some turns.
beforeAll(() => import("p-limit"));

describe("an account", () => {
  it("is free until something is limited", () => {
    const { account } = open();
    expect(account.isFree).toBe(true);
    account.restrict(policy({ maxParallel: 2 }));
    expect(account.isFree).toBe(false);
  });

  it("lets calls go in their order, as many in a time as it may, and tells each how long it waits", async () => {
    const { clock, log, enter } = open({ rateLimit: { count: 2, perMs: 1_000 } });
    for (const name of ["a", "b", "c", "d", "e"]) enter(name);
    await clock.advance(0);
    await clock.advance(5_000);
    expect(log).toEqual([
      "c requests 1000",
      "d requests 1000",
      "e requests 2000",
      "a goes at 0",
      "b goes at 0",
      "c goes at 1000",
      "d goes at 1000",
      "e goes at 2000",
    ]);
    expect(clock.timers).toBe(0);
  });

  it("holds every limit that its models name", async () => {
    const { clock, account, log, enter } = open({ rateLimit: { count: 9, perMs: 1_000 } });
    account.restrict(policy({ rateLimit: { count: 1, perMs: 1_000 }, maxParallel: 4 }));
    account.restrict(policy({ rateLimit: { count: 5, perMs: 1_000 }, maxParallel: 9 }));
    for (const name of ["a", "b"]) enter(name);
    await clock.advance(0);
    await clock.advance(1_000);
    expect(log).toEqual(["b requests 1000", "a goes at 0", "b goes at 1000"]);
  });

  it("counts what calls really took once they are over, so that others go earlier", async () => {
    const { clock, log, passes, enter } = open({ tokenRate: { count: 100, perMs: 60_000 } });
    enter("a", { tokens: 90 });
    enter("b", { tokens: 50 });
    await clock.advance(0);
    await clock.advance(2_000);
    expect(log).toEqual(["b tokens 60000", "a goes at 0"]);
    passes.get("a")?.leave(20);
    await clock.advance(0);
    expect(log).toEqual(["b tokens 60000", "a goes at 0", "b goes at 2000"]);
  });

  it("lets no more calls be under way than it may", async () => {
    const { clock, log, passes, enter } = open({ maxParallel: 1 });
    enter("a");
    enter("b");
    await clock.advance(0);
    await clock.advance(3_000);
    expect(log).toEqual(["a goes at 0"]);
    passes.get("a")?.leave();
    await clock.advance(0);
    expect(log).toEqual(["a goes at 0", "b parallel 3000", "b goes at 3000"]);
  });

  it("holds back all calls when the endpoint asks to wait, and fails those that would not wait so long", async () => {
    const { clock, account, log, enter } = open();
    account.pause(5_000);
    enter("a");
    enter("b", { patienceMs: 1_000 });
    await clock.advance(0);
    account.pause(4_000);
    await clock.advance(5_000);
    expect(log).toEqual([
      "a retry-after 5000",
      expect.stringMatching(/^b fails: b: the endpoint asked all calls .* 5s more/u),
      "a goes at 5000",
    ]);
    expect(account.isFree).toBe(true);
  });

  it("fails waiting calls when a pause begins that is too long for them", async () => {
    const { clock, account, log, enter } = open({ rateLimit: { count: 1, perMs: 10 } });
    enter("a");
    enter("b", { patienceMs: 500 });
    await clock.advance(0);
    account.pause(1_000);
    await clock.advance(0);
    expect(log.at(-1)).toMatch(/^b fails/u);
    expect(clock.timers).toBe(0);
  });

  it("forgets a call that is given up while it waits, for its turn or for others", async () => {
    const { clock, log, passes, enter } = open({
      rateLimit: { count: 1, perMs: 1_000 },
      maxParallel: 2,
    });
    const aborter = new AbortController();
    enter("a");
    await clock.advance(0);
    enter("b", { signal: aborter.signal });
    enter("c", { signal: aborter.signal });
    await clock.advance(0);
    aborter.abort(new Error("stop"));
    await clock.advance(0);
    expect(log.filter((line) => line.includes("fails")).toSorted()).toEqual([
      "b fails: stop",
      "c fails: stop",
    ]);
    expect(clock.timers).toBe(0);
    passes.get("a")?.leave();
    enter("d");
    await clock.advance(1_000);
    expect(log.at(-1)).toBe("d goes at 1000");
  });

  it("takes a call out of its spans that was not sent after all", async () => {
    const { clock, log, passes, enter } = open({ rateLimit: { count: 1, perMs: 60_000 } });
    enter("a");
    enter("b");
    await clock.advance(0);
    passes.get("a")?.drop();
    await clock.advance(0);
    expect(log).toEqual(["b requests 60000", "a goes at 0", "b goes at 0"]);
  });

  it("pauses ten minutes at most, whatever is asked for", async () => {
    const { clock, account, log, enter } = open();
    account.pause(9e12);
    enter("a", { patienceMs: 9e12 });
    await clock.advance(0);
    await clock.advance(600_000);
    expect(log).toEqual(["a retry-after 600000", "a goes at 600000"]);
  });

  it.each(["a span", "a pause"])(
    "is not longer in %s where its clock is set back",
    async (what) => {
      let now = 1e12;
      const account = new Account({ now: () => now, after: () => () => undefined });
      const told: number[] = [];
      const asking = {
        model: "m",
        tokens: 0,
        signal: new AbortController().signal,
        patienceMs: 60_000,
        tell: (_reason: string, waitMs: number) => told.push(waitMs),
      };
      account.restrict(policy({ rateLimit: { count: 1, perMs: 1_000 } }));
      await account.enter(asking);
      if (what === "a pause") account.pause(1_000);
      now -= 3_600_000;
      void account.enter(asking);
      expect(told).toEqual([1_000]);
    },
  );
});
