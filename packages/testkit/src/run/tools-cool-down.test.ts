import { Clock, provide } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const MADE = /was made a moment ago/;

describe("the cool-down of a tool", () => {
  it("counts no call that was not made, of its own and of others", async () => {
    const made: string[] = [];
    const news = toolOf("news", (item) => `news ${made.push(`news ${item}`)}`);
    const broken = toolOf("broken", (item) => {
      made.push(`broken ${item}`);
      throw new Error("down");
    });
    const clock = testClock();
    const { outcome } = await runScripted(
      "tools: { news: { coolDown: 2 }, broken: { coolDown: 1, breaker: { failures: 1, rest: 30s } } }\nstrategy: { react: { maxSteps: 12 } }\n",
      [
        calling("news", "a"),
        calling("broken", "x"),
        // At rest: neither is made, so the first of them is no call between.
        calling("broken", "y"),
        calling("news", "a"),
        calling("broken", "y"),
        "ok",
      ],
      { plugins: [news, broken], services: [provide(Clock, clock)] },
    );
    const contents = outcome.state.observations.map(({ content }) => content);
    expect(made).toEqual(["news a", "broken x"]);
    expect(contents[2]).toMatch(/failed too often/);
    expect(contents[3]).toMatch(
      /was made a moment ago; it may be made again after 1 call of another/,
    );
    expect(contents[4]).toMatch(/failed too often/);
    expect(contents[4]).not.toMatch(MADE);
  });

  it("holds for the same call beside it", async () => {
    let made = 0;
    const news = toolOf("news", () => `news ${++made}`);
    const { outcome } = await runScripted(
      "tools: { news: { coolDown: 1 } }\nstrategy: react\n",
      [calling("news", "a", "a", "b"), "ok"],
      { plugins: [news] },
    );
    expect(made).toBe(2);
    expect(outcome.state.observations[1]?.content).toMatch(MADE);
  });
});
