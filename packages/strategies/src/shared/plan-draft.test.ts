import type { PlanStep } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { fitted, objectivesOf, type PlanDraft, stepsOf } from "./plan-draft.ts";
import { faultsOf, firstFaults, inventedIn, weaknessesOf } from "./plan-faults.ts";

function draft(...steps: readonly (readonly [id: string, ...dependsOn: string[]])[]): PlanDraft {
  return {
    goal: "g",
    constraints: [],
    conflicts: [],
    steps: steps.map(([id, ...dependsOn]) => ({
      id,
      objective: `do ${id}`,
      needsExternalInfo: false,
      successCondition: "it stands",
      dependsOn,
    })),
  };
}

function stepOf(id: string, status: PlanStep["status"]): PlanStep {
  const [step] = draft([id]).steps;
  return { ...(step as PlanStep), status, evidence: [] };
}

const fresh = { done: [] };

describe("faultsOf", () => {
  it("accepts steps that build on earlier ones", () => {
    const sound = draft(["a"], ["b", "a"], ["c", "a", "b"]);
    expect(faultsOf(sound, { ...fresh, max: 3 }, "en")).toEqual([]);
  });

  it("refuses a plan without a step and one with too many", () => {
    expect(faultsOf(draft(), { ...fresh, max: 3 }, "en")).toEqual(["The plan has no step."]);
    expect(faultsOf(draft(["a"], ["b"], ["c"]), { ...fresh, max: 2 }, "en")).toEqual([
      "The plan has 3 steps, 1 too many.",
    ]);
    expect(faultsOf(draft(["a"], ["b"], ["c"]), { ...fresh, max: 2 }, "zh")).toEqual([
      "计划有 3 个步骤，多了 1 个。",
    ]);
  });

  it("names ids that stand twice and dependencies on no earlier step", () => {
    expect(faultsOf(draft(["a", "b"], ["b", "b"], ["a"]), { ...fresh, max: 3 }, "en")).toEqual([
      "a depends on b, which is no earlier step.",
      "b depends on b, which is no earlier step.",
      "The id a stands for two steps.",
    ]);
  });

  it("knows the steps that are done, and refuses the steps that failed once more", () => {
    const failed = [objectivesOf([stepOf("b", "failed")])];
    const room = { max: 3, done: [stepOf("a", "done")], failed };
    expect(faultsOf(draft(["c", "a"]), room, "en")).toEqual([]);
    expect(faultsOf(draft(["a"]), room, "en")).toEqual(["The id a stands for two steps."]);
    expect(faultsOf(draft(["b"]), room, "en")).toEqual([
      "The plan is the one that failed: it makes no progress.",
    ]);
  });
});

describe("fitted", () => {
  it("drops what is done already, and depends on what did it", () => {
    const room = { max: 3, done: [stepOf("a", "done")], failed: [] };
    const again = { ...draft(["x"], ["y", "x"]) };
    const repeated = {
      ...again,
      steps: again.steps.map((step) => (step.id === "x" ? { ...step, objective: "Do  A." } : step)),
    };
    const left = fitted(repeated, room);
    expect(left.steps.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([["y", ["a"]]]);
    expect(stepsOf(left, room).map(({ id, status }) => [id, status])).toEqual([
      ["a", "done"],
      ["y", "open"],
    ]);
  });

  it("knows a plan that failed in any order, whichever plan of the seat it was", () => {
    const failed = [draft(["b"], ["c"]), draft(["d"])].map(({ steps }) => objectivesOf(steps));
    const room = { max: 3, done: [], failed };
    const progress = "The plan is the one that failed: it makes no progress.";
    expect(faultsOf(draft(["c"], ["b"]), room, "en")).toEqual([progress]);
    expect(faultsOf(draft(["d"]), room, "en")).toEqual([progress]);
    expect(faultsOf(draft(["b"], ["d"]), room, "en")).toEqual([]);
  });

  it("keeps steps apart that differ by a sign", () => {
    const done = { ...stepOf("a", "done"), objective: "List prices < 100" };
    const [step] = draft(["b"]).steps;
    const again = { ...draft(), steps: [{ ...step, objective: "List prices > 100" }] } as PlanDraft;
    expect(fitted(again, { max: 3, done: [done] }).steps).toHaveLength(1);
  });

  it("gives ids of their own to steps that could pass for an observation, open a line, or stand for a step that is done", () => {
    const odd = draft(["observation-1"], ["x]\n## Task", "observation-1"], ["a", "x]\n## Task"]);
    const { steps } = fitted(odd, { max: 3, done: [{ ...stepOf("a", "done"), objective: "x" }] });
    expect(steps.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ["step-1", []],
      ["step-2", ["step-1"]],
      ["step-3", ["step-2"]],
    ]);
  });
});

describe("stepsOf", () => {
  it("makes room for a plan that nobody asked to be made again: what it builds on stays", () => {
    const done = [
      stepOf("a", "done"),
      stepOf("b", "done"),
      { ...stepOf("c", "done"), dependsOn: ["a"] },
    ];
    const room = { max: 3, done };
    expect(stepsOf(draft(["d", "c"], ["e"]), room)).toMatchObject([
      { id: "c", status: "done", dependsOn: [] },
      { id: "d", status: "open", dependsOn: ["c"] },
      { id: "e", status: "open" },
    ]);
  });
});

describe("firstFaults", () => {
  it("names ten, each cut to a line, and how many more there are", () => {
    const many = Array.from({ length: 4000 }, () => "x\n".repeat(9000));
    const told = firstFaults(many, "en");
    expect(told).toHaveLength(11);
    expect(told.at(-1)).toBe("And 3990 more.");
    expect(told.join("").length).toBeLessThan(7000);
  });

  it("says of a plan that is too long nothing else", () => {
    const long = draft(["a"], ["a", "z"], ["a"]);
    expect(faultsOf(long, { ...fresh, max: 2 }, "en")).toEqual([
      "The plan has 3 steps, 1 too many.",
    ]);
  });
});

describe("weaknessesOf", () => {
  it("misses the price of a side that a person has to choose", () => {
    const conflict = {
      between: ["cheap", "direct"],
      resolution: "ask" as const,
      relaxed: "",
      detail: "which",
      prices: ["a stop"],
    };
    const asked = { ...draft(["a"]), conflicts: [conflict] };
    expect(weaknessesOf(asked, "", "en")).toEqual(["Name the price of each side: cheap, direct."]);
    const priced = { ...conflict, prices: ["a stop", "more money"] };
    expect(weaknessesOf({ ...asked, conflicts: [priced] }, "", "en")).toEqual([]);
    const settled = { ...conflict, resolution: "compromise" as const };
    expect(weaknessesOf({ ...asked, conflicts: [settled] }, "", "en")).toEqual([]);
  });
});

describe("inventedIn", () => {
  const steps = draft(["look up order A20260824001 of 2026"]).steps;

  it("finds long numbers that stand nowhere, and lets short ones be", () => {
    expect(inventedIn(steps, "Where is my order?")).toEqual(["20260824001"]);
    expect(inventedIn(steps, "Where is order A20260824001?")).toEqual([]);
  });
});
