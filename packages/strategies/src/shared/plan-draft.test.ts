import type { PlanStep } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import {
  faultsOf,
  inventedIn,
  type PlanDraft,
  stepsOf,
  weaknessesOf,
  withoutDone,
} from "./plan-draft.ts";

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

const fresh = { done: [], undone: [] };

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
    const room = { max: 3, done: [stepOf("a", "done")], undone: [stepOf("b", "failed")] };
    expect(faultsOf(draft(["c", "a"]), room, "en")).toEqual([]);
    expect(faultsOf(draft(["a"]), room, "en")).toEqual(["The id a stands for two steps."]);
    expect(faultsOf(draft(["b"]), room, "en")).toEqual([
      "The plan is the one that failed: it makes no progress.",
    ]);
  });
});

describe("withoutDone", () => {
  it("drops what is done already, and depends on what did it", () => {
    const room = { max: 3, done: [stepOf("a", "done")], undone: [] };
    const again = { ...draft(["x"], ["y", "x"]) };
    const repeated = {
      ...again,
      steps: again.steps.map((step) => (step.id === "x" ? { ...step, objective: "Do A!" } : step)),
    };
    const left = withoutDone(repeated, room);
    expect(left.steps.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([["y", ["a"]]]);
    expect(stepsOf(left, room).map(({ id, status }) => [id, status])).toEqual([
      ["a", "done"],
      ["y", "open"],
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
