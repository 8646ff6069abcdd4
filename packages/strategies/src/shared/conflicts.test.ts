import type { Task } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { conflictText, decisionText, isAbout, isDecided } from "./conflict-words.ts";
import { likelyConflicts, settle } from "./conflicts.ts";

function taskOf(text: string, ...constraints: readonly string[]): Task {
  const hard = constraints.map((said, index) => ({ id: `constraint-${index + 1}`, text: said }));
  return { text, inputs: {}, mission: "", deliverable: "", constraints: hard };
}

const flight = {
  between: ["the cheapest fare", "a direct flight"],
  resolution: "ask" as const,
  relaxed: "",
  detail: "No stated wish weighs more.",
  prices: ["a stop on the way", "a higher fare"],
};

describe("likelyConflicts", () => {
  it.each([
    ["Find the cheapest direct flight.", "a low price", "a direct or comfortable way"],
    ["A brief but comprehensive report.", "brevity", "completeness"],
    ["Answer at once, and double-check every number.", "speed", "certainty"],
    ["An anonymous report, with detailed profiles.", "privacy", "detail about people"],
  ])("%s", (text, one, other) => {
    const found = likelyConflicts(taskOf(text), "en").join("\n");
    expect(found).toContain(one);
    expect(found).toContain(other);
  });

  it("reads Chinese tasks, and names what it found in Chinese", () => {
    expect(likelyConflicts(taskOf("找最便宜的直飞航班"), "zh")).toEqual([
      "- 价格低（“便宜”）与直达或舒适（“直飞”）相冲突",
    ]);
  });

  it("sees one wish in the task and the other in a constraint", () => {
    expect(likelyConflicts(taskOf("Find a direct flight."), "en")).toEqual([]);
    expect(likelyConflicts(taskOf("Find a direct flight.", "As cheap as can be."), "en")).toEqual([
      '- a low price ("cheap") against a direct or comfortable way ("direct")',
    ]);
  });

  it("takes no part of another word, and no single wish, for a conflict", () => {
    expect(likelyConflicts(taskOf("Ask the director of Cheapside."), "en")).toEqual([]);
    expect(likelyConflicts(taskOf("Find the cheapest flight."), "en")).toEqual([]);
  });
});

describe("settle", () => {
  const { constraints } = taskOf("", "No flight before 9:00.");

  it("leaves to a person what is asked, and tells how the rest is settled", () => {
    const relaxed = {
      ...flight,
      resolution: "relax" as const,
      relaxed: "a direct flight",
      detail: "It was only preferred.",
    };
    const { open, tradeoffs, relaxed: hard } = settle([flight, relaxed], constraints, "en");
    expect(open).toEqual([flight]);
    expect(tradeoffs).toEqual([
      'the cheapest fare against a direct flight: a soft wish gives way: It was only preferred. (gives way: "a direct flight")',
    ]);
    expect(hard).toEqual([]);
  });

  it("lets a hard constraint give way to a stated preference alone, and says so", () => {
    const early = { ...flight, relaxed: "no flight before 9:00" };
    for (const resolution of ["relax", "compromise"] as const)
      expect(settle([{ ...early, resolution }], constraints, "en").open).toHaveLength(1);
    const { open, tradeoffs, relaxed } = settle(
      [{ ...early, resolution: "preference" }],
      constraints,
      "en",
    );
    expect(open).toEqual([]);
    expect(relaxed).toEqual(["No flight before 9:00."]);
    expect(tradeoffs[0]).toContain('the hard constraint "No flight before 9:00." is relaxed');
  });
});

describe("a hard constraint in a conflict", () => {
  const early = ["a cheap fare", "no flight before 9:00"];
  const { constraints } = taskOf("", "No flight before 9:00.");
  const openOf = (given: object, hard = constraints) =>
    settle([{ ...flight, ...given }], hard, "en").open.length;

  it.each(["relax", "compromise"])("is a person's to give up: %s", (resolution) => {
    expect(openOf({ between: early, resolution, relaxed: "" })).toBe(1);
    expect(openOf({ between: early, resolution, relaxed: "flights at seven" })).toBe(1);
    expect(openOf({ between: early, resolution, relaxed: "A cheap fare" })).toBe(0);
  });

  it("is found by a part of it, in Chinese too", () => {
    const { constraints: hard } = taskOf("", "必须乘坐直飞航班。");
    const between = ["最便宜的票价", "直飞航班"];
    expect(openOf({ between, resolution: "compromise" }, hard)).toBe(1);
    expect(openOf({ between, resolution: "compromise", relaxed: "最便宜的票价" }, hard)).toBe(0);
  });

  it.each([
    ["The hotel must be near the station", "the hotel"],
    ["Price < 100", "Price < 10"],
    ["Price < 100", "Price > 100"],
    ["At most 50", "At most 5"],
    ["Do not use metric units", "use metric units"],
  ])("%s does not give way where what gives way is %s", (text, relaxed) => {
    const { constraints: hard } = taskOf("", text);
    const preferred = { ...flight, resolution: "preference" as const, relaxed };
    expect(settle([preferred], hard, "en").relaxed).toEqual([]);
  });

  it("gives way where most of it is said from its beginning", () => {
    const { constraints: hard } = taskOf("", "No flight before nine (MET)");
    const preferred = {
      ...flight,
      resolution: "preference" as const,
      relaxed: "No flight before nine",
    };
    expect(settle([preferred], hard, "en").relaxed).toEqual(["No flight before nine (MET)"]);
  });
});

describe("conflictText", () => {
  it("holds the price of each side", () => {
    expect(conflictText(flight, "en")).toBe(
      'the cheapest fare against a direct flight: No stated wish weighs more. (the price of "the cheapest fare": a stop on the way; the price of "a direct flight": a higher fare)',
    );
    expect(conflictText({ ...flight, prices: [] }, "zh")).toContain(
      "选择“a direct flight”的代价：未知",
    );
  });
});

describe("isAbout", () => {
  it("compares the wishes, whatever their order, case and stops", () => {
    for (const language of ["en", "zh"] as const) {
      const turned = { ...flight, between: ["A direct flight.", "The cheapest fare"] };
      expect(isAbout(conflictText(flight, language), turned, language)).toBe(true);
      expect(isAbout(conflictText(turned, language), flight, language)).toBe(true);
      const other = { ...flight, between: ["the cheapest fare", "a direct flight at night"] };
      expect(isAbout(conflictText(flight, language), other, language)).toBe(false);
      expect(isAbout(conflictText(other, language), flight, language)).toBe(false);
    }
  });

  it("tells conflicts without wishes apart by their detail, and shows them by it", () => {
    const bare = { ...flight, between: [], detail: "Price or comfort?" };
    expect(conflictText(bare, "en")).toBe("Price or comfort?");
    expect(isAbout("Price or comfort?", bare, "en")).toBe(true);
    expect(isAbout("Price or speed?", bare, "en")).toBe(false);
    expect(isAbout("", { ...bare, detail: "" }, "en")).toBe(false);
  });
});

describe("isDecided", () => {
  it("finds what a person decided, also about a conflict of which only the words were known", () => {
    for (const language of ["en", "zh"] as const) {
      const asTold = { ...flight, between: [], detail: conflictText(flight, language) };
      for (const conflict of [flight, asTold])
        expect(
          isDecided([decisionText(conflict, "a direct flight", language)], flight, language),
        ).toBe(true);
      expect(isDecided([conflictText(flight, language)], flight, language)).toBe(false);
    }
  });
});
