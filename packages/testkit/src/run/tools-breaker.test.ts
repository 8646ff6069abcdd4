import { Clock, provide } from "@loopwright/core";
import { ToolError } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import {
  calling,
  runScripted,
  type ScriptedRun,
  type ScriptedRunOptions,
  toolOf,
} from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

function contents({ outcome }: ScriptedRun): readonly string[] {
  return outcome.state.observations.map(({ content }) => content);
}

function restsOf({ events }: ScriptedRun): readonly unknown[] {
  return events.flatMap((event) => (event.name === "tool.rested" ? [event.data] : []));
}

const down = (): never => {
  throw new Error("down");
};

/** Asks for one item after the other, one in each step. */
async function asking(
  tools: string,
  items: readonly string[],
  options: ScriptedRunOptions,
): Promise<ScriptedRun> {
  const run = await runScripted(
    `tools: ${tools}\nstrategy: { react: { maxSteps: 12 } }\n`,
    [...items.map((item) => calling("stock", item)), "ok"],
    options,
  );
  expect(unbalanced(run.events)).toEqual([]);
  return run;
}

describe("the breaker of a tool", () => {
  it("lets it rest after so many failures in a row, is told, and tries it again afterwards", async () => {
    const clock = testClock();
    const called: string[] = [];
    let isUp = false;
    const stock = toolOf("stock", (item) => {
      called.push(item);
      return isUp ? item : down();
    });
    const run = await runScripted(
      "tools: { stock: { breaker: { failures: 2, rest: 30s } } }\nstrategy: { react: { maxSteps: 12 } }\n",
      async ({ messages }) => {
        const turn = messages.filter(({ role }) => role === "assistant").length;
        if (turn === 3) {
          await clock.advance(30_000);
          isUp = true;
        }
        return turn < 5 ? calling("stock", `item ${turn}`) : "ok";
      },
      { plugins: [stock], services: [provide(Clock, clock)] },
    );
    expect(called).toEqual(["item 0", "item 1", "item 3", "item 4"]);
    expect(contents(run)).toEqual([
      "stock failed: down",
      "stock failed: down",
      "not executed: stock failed too often in a row: it is not called for 30s more",
      "item 3",
      "item 4",
    ]);
    expect(restsOf(run)).toEqual([{ tool: "stock", failures: 2, restMs: 30_000 }]);
  });

  it("lets its fallback stand in at once", async () => {
    let count = 0;
    const stock = toolOf("stock", () => {
      count += 1;
      return down();
    });
    const run = await asking(
      "{ stock: { breaker: { failures: 1, rest: 30s }, fallback: Ask the desk. } }",
      ["a", "b"],
      { plugins: [stock] },
    );
    expect(count).toBe(1);
    expect(contents(run)).toEqual([
      "stock is not available; instead: Ask the desk.",
      "stock is not available; instead: Ask the desk.",
    ]);
    expect(run.outcome.state.observations.every(({ degraded }) => degraded)).toBe(true);
  });

  it("counts no wrong arguments, and begins anew with each success", async () => {
    const stock = toolOf("stock", (item) => {
      if (item === "odd") throw new ToolError("tool-arguments-invalid", "no such item");
      return item === "up" ? item : down();
    });
    const run = await asking(
      "{ stock: { breaker: { failures: 2, rest: 30s } } }",
      ["a", "odd", "odd", "up", "b", "odd", "c", "d"],
      { plugins: [stock] },
    );
    expect(contents(run).at(-1)).toMatch(/^not executed/);
    expect(contents(run).filter((text) => text.startsWith("not executed"))).toHaveLength(1);
  });

  it("counts every attempt, and ends the attempts when it opens", async () => {
    const clock = testClock();
    let count = 0;
    const stock = toolOf("stock", () => {
      count += 1;
      throw new ToolError("tool-failed", "busy", { retryable: true });
    });
    const run = await asking("{ stock: { breaker: { failures: 2, rest: 1m }, retry: 5 } }", ["a"], {
      plugins: [stock],
      services: [provide(Clock, clock)],
      onRun: (live) =>
        live.on("tool.retried", ({ data }) => setImmediate(() => void clock.advance(data.waitMs))),
    });
    expect(count).toBe(2);
    expect(contents(run)).toEqual(["stock failed: busy (tried 2 times)"]);
  });

  it("counts an output that is not what the tool declares", async () => {
    const stock = { ...toolOf("stock", () => "many"), output: { type: "integer" } };
    const run = await asking("{ stock: { breaker: { failures: 1, rest: 30s } } }", ["a", "b"], {
      plugins: [stock],
    });
    expect(contents(run)[1]).toMatch(/^not executed/);
  });
});

describe("the cool-down of a tool", () => {
  it("keeps the same call back until so many calls of other tools were made", async () => {
    const called: string[] = [];
    const stock = toolOf("stock", (item) => {
      called.push(item);
      return `${item}: ${called.length}`;
    });
    const run = await runScripted(
      "tools: { stock: { coolDown: 2 }, look: {} }\nstrategy: { react: { maxSteps: 12 } }\n",
      [
        calling("stock", "a"),
        calling("stock", "a", "b"),
        calling("look", "x"),
        calling("stock", "a"),
        calling("look", "y"),
        calling("stock", "a"),
        "ok",
      ],
      { plugins: [stock, toolOf("look", (item) => item)] },
    );
    expect(called).toEqual(["a", "b", "a"]);
    const held = contents(run).filter((text) => text.startsWith("not executed"));
    expect(held).toEqual([
      "not executed: the same call of stock was made a moment ago; it may be made again after 2 calls of other tools. Use what it returned, or do something else",
      "not executed: the same call of stock was made a moment ago; it may be made again after 1 call of another tool. Use what it returned, or do something else",
    ]);
  });

  it("holds inside one step too, and for each branch alone", async () => {
    let count = 0;
    const run = await runScripted(
      "tools: { stock: { coolDown: 1 } }\nstrategy: { self-consistency: { samples: 2, do: react } }\n",
      ({ messages }) => (messages.at(-1)?.role === "tool" ? "42" : calling("stock", "nut", "nut")),
      { plugins: [toolOf("stock", () => ++count)] },
    );
    expect(count).toBe(2);
    expect(run.outcome.outcome).toBe("done");
  });
});
