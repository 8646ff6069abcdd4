import { Clock, provide, type Run } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const never = new Promise<never>(() => undefined);

function contents(run: ScriptedRun): readonly string[] {
  return run.outcome.state.observations.map(({ content }) => content);
}

/** Replies to all that waits once so many requests do, in the order that `pick` gives. */
function respondTo(
  live: Run,
  count: number,
  pick: (ids: readonly string[]) => readonly string[],
): void {
  live.on("approval.requested", () => {
    const waiting = live.pending();
    if (waiting.length < count) return;
    const ids = pick(waiting.map(({ id }) => id));
    for (const [index, id] of ids.entries())
      setImmediate(() => live.respond(id, { approved: index === 0, reason: `as ${index}` }));
  });
}

describe("an approval", () => {
  it.each([false, true])(
    "of two calls at once is given in any order (reversed: %s)",
    async (isReversed) => {
      const done: string[] = [];
      const ship = toolOf("ship", (item) => done.push(item), "once");
      const run = await runScripted(
        "tools: [ship]\nstrategy: react\n",
        [calling("ship", "nut", "bolt"), "done"],
        {
          plugins: [ship],
          onRun: (live) => respondTo(live, 2, (ids) => (isReversed ? ids.toReversed() : ids)),
        },
      );
      expect(done).toEqual([isReversed ? "bolt" : "nut"]);
      expect(contents(run).filter((text) => text.startsWith("denied"))).toHaveLength(1);
      expect(run.outcome.state.observations.map(({ ok }) => ok)).toEqual([!isReversed, isReversed]);
      expect(unbalanced(run.events)).toEqual([]);
    },
  );

  it("is asked for where the condition holds only", async () => {
    const asked: unknown[] = [];
    const ship = toolOf("ship", (item) => `${item} is out`, "once");
    const run = await runScripted(
      'tools: { ship: { approval: { when: args.item == "gold" } } }\nstrategy: react\n',
      [calling("ship", "nut", "gold"), "done"],
      {
        plugins: [ship],
        onRun: (live) =>
          live.on("approval.requested", (event) => {
            const { id, input } = event.data as { readonly id: string; readonly input: unknown };
            asked.push(input);
            setImmediate(() => live.respond(id, { approved: true }));
          }),
      },
    );
    expect(asked).toEqual([{ item: "gold" }]);
    expect(contents(run)).toEqual(["nut is out", "gold is out"]);
  });

  it("is refused where nobody is there", async () => {
    let count = 0;
    const ship = toolOf("ship", () => ++count, "once");
    const run = await runScripted(
      "tools: [ship]\nstrategy: react\n",
      [calling("ship", "x"), "ok"],
      {
        plugins: [ship],
        settings: { isPersonPresent: false },
      },
    );
    expect(count).toBe(0);
    expect(contents(run)[0]).toMatch(/nobody is there to be asked/);
  });

  it("is never asked for what the spec denies", async () => {
    let count = 0;
    const ship = toolOf("ship", () => ++count, "once");
    const run = await runScripted(
      'tools: { ship: { deny: { when: args.item == "gold" } } }\nstrategy: react\n',
      [calling("ship", "gold"), "ok"],
      { plugins: [ship] },
    );
    expect(count).toBe(0);
    expect(contents(run)[0]).toMatch(/the spec forbids/);
    expect(run.events.some(({ name }) => name === "approval.requested")).toBe(false);
  });
});

describe("a tool", () => {
  it("that takes too long is given up, and its signal aborts", async () => {
    const clock = testClock();
    let signalled: AbortSignal | undefined;
    const slow = toolOf("slow", (_item, signal) => {
      signalled = signal;
      return never;
    });
    const run = await runScripted(
      "tools: { slow: { timeout: 3s, retry: 1 } }\nstrategy: react\n",
      [calling("slow", "x"), "ok"],
      {
        plugins: [slow],
        services: [provide(Clock, clock)],
        onRun: (live) =>
          live.on("tool-call.start", () => setImmediate(() => void clock.advance(3_000))),
      },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(contents(run)[0]).toMatch(/did not answer within 3000 ms/);
    expect(signalled?.aborted).toBe(true);
    expect(run.events.find(({ name }) => name === "tool-call.end")?.data).toMatchObject({
      outcome: "failed",
      fault: { code: "tool-timeout" },
    });
    expect(clock.timers).toBe(0);
  });

  it("is not called again while its result is fresh, and is after an effect or its time", async () => {
    const clock = testClock();
    let count = 0;
    const stock = toolOf("stock", () => `${++count}`);
    const buy = toolOf("buy", () => "bought", "idempotent");
    const run = await runScripted(
      "tools: { stock: { cache: 60s }, buy: {} }\nstrategy: react\n",
      async ({ messages }) => {
        const turn = messages.filter(({ role }) => role === "assistant").length;
        if (turn === 4) await clock.advance(60_000);
        const calls = ["stock", "stock", "buy", "stock", "stock"];
        const name = calls[turn];
        return name === undefined ? "done" : calling(name, "nut");
      },
      { plugins: [stock, buy], services: [provide(Clock, clock)] },
    );
    expect(contents(run)).toEqual(["1", "1", "bought", "2", "3"]);
    const ends = run.events.filter((event) => event.name === "tool-call.end");
    expect(ends.map(({ data }) => data.cached)).toEqual([false, true, false, false, false]);
  });

  it("keeps no result that an effect made old while it was on its way", async () => {
    let isBought = false;
    let release: (() => void) | undefined;
    const stock = toolOf("stock", async () => {
      const seen = isBought ? "3" : "4";
      if (!isBought) await new Promise<void>((resolve) => (release = resolve));
      return seen;
    });
    const buy = toolOf(
      "buy",
      () => {
        isBought = true;
        setImmediate(() => release?.());
        return "bought";
      },
      "idempotent",
    );
    const run = await runScripted(
      "tools: { stock: { cache: 60s }, buy: {} }\nstrategy: react\n",
      [{ calls: [{ name: "stock" }, { name: "buy" }] }, { calls: [{ name: "stock" }] }, "done"],
      { plugins: [stock, buy] },
    );
    expect(contents(run)).toEqual(["4", "bought", "3"]);
  });

  it("that fails is stood in for by a text or another tool, marked as degraded", async () => {
    const fail = (): never => {
      throw new Error("down");
    };
    const tools = [toolOf("a", fail), toolOf("b", fail), toolOf("c", (item) => `${item}: 7`)];
    const run = await runScripted(
      "tools: { a: { fallback: Call back later. }, b: { fallback: c }, c: {} }\nstrategy: react\n",
      [{ calls: [{ name: "a" }, { name: "b", arguments: { item: "nut" } }, { name: "c" }] }, "ok"],
      { plugins: tools },
    );
    expect(run.outcome.state.observations).toMatchObject([
      {
        tool: "a",
        ok: true,
        degraded: true,
        content: expect.stringContaining("Call back later.") as string,
      },
      { tool: "b", ok: true, degraded: true, content: "nut: 7" },
      { tool: "c", ok: true, degraded: false },
    ]);
    const ends = run.events.filter((event) => event.name === "tool-call.end");
    const outcomes = Object.fromEntries(ends.map(({ data }) => [data.tool, data.outcome]));
    expect(outcomes).toEqual({ a: "failed", b: "failed", c: "done" });
  });

  it("whose stand-in fails too ends with the stand-in's own text", async () => {
    const fail = (): never => {
      throw new Error("down");
    };
    const run = await runScripted(
      "tools: { a: { fallback: b }, b: { fallback: Call back later. } }\nstrategy: react\n",
      [{ calls: [{ name: "a" }] }, "ok"],
      { plugins: [toolOf("a", fail), toolOf("b", fail)] },
    );
    expect(run.outcome.state.observations).toMatchObject([{ ok: true, degraded: true }]);
    expect(contents(run)[0]).toContain("Call back later.");
  });

  it("with an effect is not executed in a dry run, and nobody is asked", async () => {
    let count = 0;
    const ship = toolOf("ship", () => ++count, "once");
    const stock = toolOf("stock", (item) => `${item}: 4`);
    const run = await runScripted(
      "tools: [ship, stock]\nstrategy: react\n",
      [{ calls: [{ name: "ship", arguments: { item: "nut" } }, { name: "stock" }] }, "ok"],
      { plugins: [ship, stock], settings: { dryRun: true } },
    );
    expect(count).toBe(0);
    expect(contents(run)[0]).toBe(
      'dry run: ship was not executed; it would have been called with {"item":"nut"}',
    );
    expect(contents(run)[1]).toBe(": 4");
    expect(run.events.filter(({ name }) => name === "effect.stubbed")).toHaveLength(1);
    expect(run.events.some(({ name }) => name === "approval.requested")).toBe(false);
  });

  it("that says too much is cut, never inside a character", async () => {
    const long = toolOf("long", () => `${"x".repeat(99)}😀😀`);
    const run = await runScripted(
      "tools: { long: { maxResult: 100 } }\nstrategy: react\n",
      [calling("long", "x"), "ok"],
      { plugins: [long] },
    );
    expect(contents(run)[0]).toBe(`${"x".repeat(99)}\n[cut: 100 of 103 characters shown]`);
  });

  it("keeps in the cache what it said, cut and judged by the policy of the stage that reads it", async () => {
    const clock = testClock();
    let count = 0;
    const asked = new Set<string>();
    const long = toolOf("long", () => `${++count}${"x".repeat(199)}`);
    const run = await runScripted(
      `tools: { long: { cache: 60s } }
strategy:
  - react: { id: short, tools: { long: { maxResult: 100 } } }
  - react: { id: full, tools: [long] }
  - react: { id: fresh, tools: { long: { cache: 5s } } }
`,
      async ({ stage }) => {
        if (asked.has(stage)) return stage;
        asked.add(stage);
        if (stage === "fresh") await clock.advance(10_000);
        return calling("long", "nut");
      },
      { plugins: [long], services: [provide(Clock, clock)] },
    );
    const [short, full, fresh] = contents(run);
    expect(short).toMatch(/^1x+\n\[cut: 100 of 200 characters shown\]$/);
    expect(full).toBe(`1${"x".repeat(199)}`);
    expect(fresh).toBe(`2${"x".repeat(199)}`);
  });

  it("is told the hint about a loop, as the state has it, frozen", async () => {
    const run = await runScripted(
      "tools: { stock: { repeat: 2 } }\nstrategy: react\n",
      [calling("stock", "nut"), calling("stock", "nut"), "ok"],
      { plugins: [toolOf("stock", () => "4")] },
    );
    const told = run.events.flatMap((event) =>
      event.name === "observation.recorded" ? [event.data] : [],
    );
    expect(told.map(({ content }) => content)).toEqual(contents(run));
    expect(contents(run)).toEqual(["4", "4"]);
    expect(told[1]?.notes?.[0]).toMatch(/same call gave the same result 2 times/);
    expect(run.requests.at(-1)?.messages.at(-1)?.text).toContain(told[1]?.notes?.[0]);
    expect(run.outcome.state.observations.every((one) => Object.isFrozen(one))).toBe(true);
  });
});
