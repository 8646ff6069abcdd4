import { describe, expect, it } from "vitest";
import { faultsOf, type PlanDraft, toPlan } from "./plan-draft.ts";

function draft(...steps: readonly (readonly [id: string, ...dependsOn: string[]])[]): PlanDraft {
  return {
    goal: "g",
    constraints: [],
    conflicts: [],
    steps: steps.map(([id, ...dependsOn]) => ({
      id,
      objective: `do ${id}`,
      needsExternalInfo: false,
      successCondition: "done",
      dependsOn,
    })),
  };
}

describe("faultsOf", () => {
  it("accepts steps that build on earlier ones", () => {
    expect(faultsOf(draft(["a"], ["b", "a"], ["c", "a", "b"]), 3)).toEqual([]);
  });

  it("refuses a plan without a step and one with too many", () => {
    expect(faultsOf(draft(), 3)).toEqual(["The plan has no step."]);
    expect(faultsOf(draft(["a"], ["b"], ["c"]), 2)).toEqual(["The plan has 3 steps, 1 too many."]);
  });

  it("names ids that stand twice and dependencies on no earlier step", () => {
    expect(faultsOf(draft(["a", "b"], ["b", "b"], ["a"]), 3)).toEqual([
      "a depends on b, which is no earlier step.",
      "b depends on b, which is no earlier step.",
      "The id a stands for two steps.",
    ]);
  });
});

describe("toPlan", () => {
  it("opens every step and keeps only what the order allows", () => {
    const plan = toPlan(draft(["a", "b"], ["b", "a"], ["a"]));
    expect(plan.steps.map(({ id, dependsOn, status }) => [id, dependsOn, status])).toEqual([
      ["a", [], "open"],
      ["b", ["a"], "open"],
      ["a-at-3", [], "open"],
    ]);
  });
});
