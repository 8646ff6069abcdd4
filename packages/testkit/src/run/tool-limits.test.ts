import { Clock, provide } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);
const price = toolOf("price", (item) => `${item}: 2`);

function contentsOf(run: { outcome: { state: { observations: readonly { content: string }[] } } }) {
  return run.outcome.state.observations.map(({ content }) => content);
}

describe("limits of a tool", () => {
  it("let the calls of a batch that fit be made, in their order, and end no stage", async () => {
    const run = await runScripted(
      "tools: { stock: { limits: { toolCalls: 3 } }, price: {} }\nstrategy: { react: { maxSteps: 4, maxCallsPerStep: 6 } }\n",
      [calling("stock", "a", "b", "c", "d", "e"), calling("price", "a"), "4"],
      { plugins: [stock, price] },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    const refused =
      "not executed: the limit on calls of stock is reached (3 of 3 made); go on without it";
    expect(contentsOf(run)).toEqual(["a: 4", "b: 4", "c: 4", refused, refused, "a: 2"]);
    // What was not made counts nowhere.
    expect(run.outcome.spending.toolCalls).toBe(4);
    expect(
      run.events.flatMap((event) => (event.name === "limit.reached" ? [event.data] : [])),
    ).toEqual([
      { limit: "tools.stock.toolCalls", soft: true, used: 3, max: 3 },
      { limit: "tools.stock.toolCalls", soft: false, used: 3, max: 3 },
    ]);
  });

  it("are one pot for all branches of a run", async () => {
    let executed = 0;
    const counted = toolOf("count", (item) => `${item} ${++executed}`);
    const run = await runScripted(
      "tools: { count: { limits: { toolCalls: 5 } } }\nstrategy: { self-consistency: { samples: 8, maxParallel: 8, do: { react: { maxSteps: 3 } } } }\n",
      async ({ key, tools }) => {
        await new Promise(setImmediate);
        return tools.length > 0 ? calling("count", key) : { text: "4" };
      },
      { plugins: [counted] },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(executed).toBe(5);
  });

  it("of a stage lie below those of the tool", async () => {
    const run = await runScripted(
      "tools: { stock: { limits: { toolCalls: 4 } } }\nstrategy:\n  - react: { maxSteps: 2, tools: { stock: { limits: { toolCalls: 1 } } } }\n  - react: { id: later, maxSteps: 2, maxCallsPerStep: 5 }\n",
      ({ stage, tools }) => {
        if (tools.length === 0) return { text: "4" };
        return stage === "later"
          ? calling("stock", "c", "d", "e", "f")
          : calling("stock", "a", "b");
      },
      { plugins: [stock] },
    );
    const isMade = contentsOf(run).map((content) => !content.startsWith("not executed"));
    expect(isMade).toEqual([true, false, true, true, true, false]);
  });

  it("of the run or a stage end the stage with what is known, and name themselves", async () => {
    for (const [body, whose] of [
      ["strategy: react\nlimits: { toolCalls: 2 }\n", "the run"],
      ["strategy: { react: { limits: { toolCalls: 2 } } }\n", "this stage"],
    ] as const) {
      const run = await runScripted(
        `tools: [stock]\n${body}`,
        [calling("stock", "a", "b", "c"), "4"],
        {
          plugins: [stock],
        },
      );
      expect(run.outcome).toMatchObject({ outcome: "limited", answer: { text: "4" } });
      expect(contentsOf(run)).toEqual([
        "a: 4",
        "b: 4",
        `not executed: the limit on tool calls is reached (2 of 2 of ${whose} made); answer with what is known`,
      ]);
    }
  });

  it("on time count all its calls together, and end what is under way", async () => {
    const clock = testClock();
    const slow = toolOf("slow", async (item) => {
      await clock.advance(3000);
      return item;
    });
    const run = await runScripted(
      "tools: { slow: { limits: { time: 5s } } }\nstrategy: { react: { maxSteps: 5 } }\n",
      ({ key, tools }) =>
        tools.length > 0 && !key.endsWith("3") ? calling("slow", key) : { text: "4" },
      { plugins: [slow], services: [provide(Clock, clock)] },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(contentsOf(run)).toEqual([
      "run/react:0/generate:0",
      expect.stringContaining("tools.slow.limits.time is reached") as string,
      "not executed: the time of all calls of slow is used up (5s); go on without it",
    ]);
    expect(clock.timers).toBe(0);
  });
});

describe("a model that asks for tools when none can be called any more", () => {
  it.each([0, 1])(
    "ends its run limited, with the limit as the reason (toolCalls: %d)",
    async (max) => {
      const run = await runScripted(
        `tools: [look]\nlimits: { toolCalls: ${max} }\nstrategy: react\n`,
        () => calling("look", "a"),
        { plugins: [toolOf("look", () => "seen")] },
      );
      expect(run.outcome).toMatchObject({
        outcome: "limited",
        fault: { code: "limit-tool-calls" },
      });
      expect(run.outcome.answer.text).toMatch(/^No answer was reached/);
      expect(run.outcome.state.observations).toHaveLength(max);
    },
  );
});
