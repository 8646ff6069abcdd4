import type { Task } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { conflictText, isSameConflict, likelyConflicts, settle } from "./conflicts.ts";

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
      "- 价格低（“便宜”）与直达或舒适（“直飞”）",
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

describe("isSameConflict", () => {
  it("compares the wishes, whatever their order and case", () => {
    const turned = { ...flight, between: ["A direct flight.", "The cheapest fare"] };
    expect(isSameConflict(flight, turned)).toBe(true);
    expect(isSameConflict(flight, { ...flight, between: ["x", "y"] })).toBe(false);
  });
});
