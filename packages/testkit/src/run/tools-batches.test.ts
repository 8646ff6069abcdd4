import { Clock, provide } from "@loopwright/core";
import { InternalError } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const BATCH = "tools: [stock]\nstrategy: { react: { maxCallsPerStep: 9 } }\n";

/** Resolves after so many rounds of the event loop. */
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round += 1)
    await new Promise((resolve) => setImmediate(resolve));
}

describe("calls of one step", () => {
  it("are reported as each completes, and recorded in their own order", async () => {
    const stock = toolOf("stock", async (item) => {
      await rounds(item === "a" ? 9 : item === "b" ? 6 : 3);
      return item;
    });
    const run = await runScripted(BATCH, [calling("stock", "a", "b", "c"), "ok"], {
      plugins: [stock],
    });
    const ended = run.events.flatMap((event) =>
      event.name === "tool-call.end" ? [event.key] : [],
    );
    expect(ended.map((key) => key.at(-1))).toEqual(["2", "1", "0"]);
    const told = run.events.flatMap((event) =>
      event.name === "observation.recorded" ? [event.data.content] : [],
    );
    expect(told).toEqual(["a", "b", "c"]);
    expect(run.outcome.state.observations.map(({ content }) => content)).toEqual(told);
    const lastEnd = run.events.findLastIndex(({ name }) => name === "tool-call.end");
    const firstTold = run.events.findIndex(({ name }) => name === "observation.recorded");
    expect(firstTold).toBeGreaterThan(lastEnd);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("down"))],
    [
      "throws no error",
      () => {
        // oxlint-disable-next-line no-throw-literal, only-throw-error
        throw "down";
      },
    ],
    ["returns what is no JSON", () => 4n],
    [
      "returns a circle",
      () => {
        const circle: Record<string, unknown> = {};
        circle["self"] = circle;
        return circle;
      },
    ],
    [
      "throws a fault of core",
      () => {
        throw new InternalError("contract-broken", "it is broken");
      },
    ],
  ])("lose nothing by one that %s", async (_name, fail) => {
    const stock = toolOf("stock", (item) => (item === "b" ? fail() : item));
    const run = await runScripted(BATCH, [calling("stock", "a", "b", "c"), "ok"], {
      plugins: [stock],
    });
    const { observations } = run.outcome.state;
    expect(observations.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect([observations[0]?.content, observations[2]?.content]).toEqual(["a", "c"]);
    expect(run.outcome.outcome).toBe("done");
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("lose nothing by one that cannot even be looked at", async () => {
    const broken = {
      ...toolOf("broken", () => "x"),
      normalize: () => {
        throw new InternalError("contract-broken", "it is broken");
      },
    };
    const run = await runScripted(
      "tools: [stock, broken]\nstrategy: react\n",
      [{ calls: [{ name: "stock" }, { name: "broken" }, { name: "stock" }] }, "ok"],
      { plugins: [toolOf("stock", () => "4"), broken] },
    );
    expect(run.outcome.state.observations.map(({ ok }) => ok)).toEqual([true, false, true]);
  });
});

describe("a tool that ignores its signal", () => {
  const late: ((reason: Error) => void)[] = [];
  it.each([
    ["never ends", () => new Promise<never>(() => undefined)],
    ["fails long afterwards", () => new Promise<never>((_resolve, reject) => late.push(reject))],
  ])("and %s is left alone, and nobody hears of it", async (_name, act) => {
    const clock = testClock();
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const run = await runScripted(
      "tools: { slow: { timeout: 1s, retry: 1 } }\nstrategy: react\n",
      [calling("slow", "x"), "ok"],
      {
        plugins: [toolOf("slow", act)],
        services: [provide(Clock, clock)],
        onRun: (live) =>
          live.on("tool-call.start", () => setImmediate(() => void clock.advance(1_000))),
      },
    );
    for (const fail of late.splice(0)) fail(new Error("late"));
    await rounds(5);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
    expect(run.outcome.state.observations[0]?.content).toContain("did not answer within 1000 ms");
    expect(clock.timers).toBe(0);
    expect(unbalanced(run.events)).toEqual([]);
  });
});
