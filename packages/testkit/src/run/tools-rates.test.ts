import { type App, Clock, createApp, provide, type Run } from "@loopwright/core";
import type { EventData, ToolDefinition } from "@loopwright/core/plugin";
import { scriptedProvider } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import {
  builtIn,
  calling,
  packageOf,
  runScripted,
  type ScriptedRun,
  specOf,
  toolOf,
} from "../promises/run-scripted.ts";
import { type TestClock, testClock } from "../test-clock.ts";

function delaysOf({ events }: ScriptedRun): readonly EventData["tool.delayed"][] {
  return events.flatMap((event) => (event.name === "tool.delayed" ? [event.data] : []));
}

/** Runs one step that asks for these items; the time goes on by what each call waits. */
async function runItems(
  policy: string,
  tool: ToolDefinition,
  items: readonly string[],
  clock: TestClock,
  onRun?: (live: Run) => void,
): Promise<ScriptedRun> {
  const ran = await runScripted(
    `tools: { stock: { ${policy} } }\nstrategy: { react: { maxCallsPerStep: 9 } }\n`,
    [calling("stock", ...items), "ok"],
    {
      plugins: [tool],
      services: [provide(Clock, clock)],
      onRun:
        onRun ??
        ((live) =>
          live.on("tool.delayed", ({ data }) =>
            setImmediate(() => void clock.advance(data.waitMs)),
          )),
    },
  );
  expect(clock.timers).toBe(0);
  expect(unbalanced(ran.events)).toEqual([]);
  return ran;
}

describe("the rate of a tool", () => {
  it("is kept: calls wait, which is told and takes nothing off their timeout", async () => {
    const clock = testClock(0);
    const at: number[] = [];
    const stock = toolOf("stock", (item) => {
      at.push(clock.now());
      return item;
    });
    const ran = await runItems(
      "rateLimit: 2/10s, timeout: 1s",
      stock,
      ["a", "b", "c", "d", "e"],
      clock,
    );
    expect(at).toEqual([0, 0, 10_000, 10_000, 20_000]);
    expect(delaysOf(ran)).toEqual([
      { tool: "stock", reason: "rate", waitMs: 10_000 },
      { tool: "stock", reason: "rate", waitMs: 10_000 },
      { tool: "stock", reason: "rate", waitMs: 20_000 },
    ]);
    expect(ran.outcome.state.observations.map(({ content }) => content)).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
    ]);
  });

  it("is the one of a stage where that is lower", async () => {
    const clock = testClock(0);
    const at: number[] = [];
    const stock = toolOf("stock", () => at.push(clock.now()));
    const ran = await runScripted(
      "tools: { stock: { rateLimit: 4/10s } }\nstrategy:\n  - react: { id: slow, tools: { stock: { rateLimit: 1/10s } } }\n  - react: { id: quick, tools: [stock] }\n",
      ({ messages, stage }) =>
        messages.at(-1)?.role === "tool" ? stage : calling("stock", `${stage} a`, `${stage} b`),
      {
        plugins: [stock],
        services: [provide(Clock, clock)],
        onRun: (live) =>
          live.on("tool.delayed", ({ data }) =>
            setImmediate(() => void clock.advance(data.waitMs)),
          ),
      },
    );
    expect(ran.outcome.outcome).toBe("done");
    expect(at).toEqual([0, 10_000, 10_000, 10_000]);
  });

  it("counts no call that the cache answers", async () => {
    const clock = testClock(0);
    let count = 0;
    const stock = toolOf("stock", (item) => `${item} ${++count}`);
    const ran = await runItems("rateLimit: 1/10s, cache: 1h", stock, ["a", "a", "a", "b"], clock);
    expect(count).toBe(2);
    // Those that wait are answered by what the first has brought.
    expect(ran.outcome.state.observations.map(({ content }) => content)).toEqual([
      "a 1",
      "a 1",
      "a 1",
      "b 2",
    ]);
    expect(clock.now()).toBeLessThanOrEqual(30_000);
  });

  it("ends a wait with the run, and executes nothing", async () => {
    const clock = testClock(0);
    let count = 0;
    const stock = toolOf("stock", () => ++count);
    const ran = await runItems("rateLimit: 1/10s", stock, ["a", "b"], clock, (live) =>
      live.on("tool.delayed", () => setImmediate(() => live.abort("enough"))),
    );
    expect(ran.outcome.outcome).toBe("aborted");
    expect(count).toBe(1);
    expect(ran.outcome.state.observations.map(({ ok }) => ok)).toEqual([true, false]);
    expect(ran.outcome.state.observations[1]?.content).toMatch(/^not executed/);
  });

  it("is shared by all runs of a program", async () => {
    const clock = testClock(0);
    const at: number[] = [];
    const stock = toolOf("stock", () => at.push(clock.now()));
    const app = await appWith(clock, stock);
    const program = await app.compile({
      text: specOf("tools: { stock: { rateLimit: 1/10s } }\nstrategy: react\n"),
    });
    const start = (): Run => {
      const live = app.start(program, {});
      live.on("tool.delayed", ({ data }) => setImmediate(() => void clock.advance(data.waitMs)));
      return live;
    };
    const runs = [start(), start()];
    const outcomes = await Promise.all(runs.map((live) => live.outcome));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["done", "done"]);
    expect(at).toEqual([0, 10_000]);
    await app.close();
  });
});

describe("the breaker of a tool", () => {
  it("is shared by all runs of a program", async () => {
    const clock = testClock(0);
    let count = 0;
    const stock = toolOf("stock", () => {
      count += 1;
      throw new Error("down");
    });
    const app = await appWith(clock, stock);
    const program = await app.compile({
      text: specOf("tools: { stock: { breaker: { failures: 2, rest: 1m } } }\nstrategy: react\n"),
    });
    const contents: (string | undefined)[] = [];
    for (let run = 0; run < 3; run += 1) {
      const { state } = await app.start(program, {}).outcome;
      contents.push(state.observations[0]?.content);
    }
    expect(count).toBe(2);
    expect(contents[2]).toMatch(/^not executed: stock failed too often in a row/);
    await app.close();
  });

  it("of a stage is told what the tool's own is told, and breaks earlier", async () => {
    let count = 0;
    const stock = toolOf("stock", () => {
      count += 1;
      throw new Error("down");
    });
    const run = await runScripted(
      "tools: { stock: { breaker: { failures: 3, rest: 1m } } }\nstrategy:\n  - react: { id: strict, tools: { stock: { breaker: { failures: 2, rest: 2m } } } }\n  - react: { id: plain, tools: [stock] }\n",
      ({ stage, messages }) => {
        const turn = messages.filter(({ role }) => role === "assistant").length;
        const asked = stage === "strict" ? 3 : 5;
        return turn < asked ? calling("stock", `${stage} ${turn}`) : stage;
      },
      { plugins: [stock] },
    );
    const rests = run.events.flatMap((event) => (event.name === "tool.rested" ? [event.data] : []));
    expect(rests.map(({ failures, restMs }) => [failures, restMs])).toEqual([
      [2, 120_000],
      [3, 60_000],
    ]);
    expect(count).toBe(3);
  });
});

describe("calls of a tool at one time", () => {
  it("are never more than said", async () => {
    const clock = testClock(0);
    let running = 0;
    let most = 0;
    const stock = toolOf("stock", async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return item;
    });
    const items = ["a", "b", "c", "d", "e"];
    const ran = await runItems("maxParallel: 2", stock, items, clock);
    expect(most).toBe(2);
    expect(ran.outcome.state.observations.map(({ content }) => content)).toEqual(items);
  });

  it("make room where one fails or waits to be tried again", async () => {
    const clock = testClock(0);
    const order: string[] = [];
    const stock = toolOf("stock", (item) => {
      order.push(item);
      if (item === "a" && order.length === 1)
        throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
      return item;
    });
    const ran = await runItems("maxParallel: 1", stock, ["a", "b"], clock, (live) =>
      live.on("tool.retried", ({ data }) => setImmediate(() => void clock.advance(data.waitMs))),
    );
    expect(order).toEqual(["a", "b", "a"]);
    expect(ran.outcome.state.observations.map(({ ok }) => ok)).toEqual([true, true]);
  });
});

function appWith(clock: TestClock, tool: ToolDefinition): Promise<App> {
  const model = scriptedProvider("stub", ({ messages }) =>
    messages.at(-1)?.role === "tool" ? "done" : calling("stock", "nut"),
  );
  return createApp({
    plugins: [...builtIn, packageOf([model, tool])],
    services: [provide(Clock, clock)],
    discovery: false,
    env: {},
  });
}
