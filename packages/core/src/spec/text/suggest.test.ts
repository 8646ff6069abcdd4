import { expect, it } from "vitest";
import { didYouMean, nearestNames } from "./suggest.ts";

it.each<[string, readonly string[], readonly string[]]>([
  ["maxStep", ["maxSteps", "maxRounds", "tools"], ["maxSteps"]],
  ["max-steps", ["maxSteps"], ["maxSteps"]],
  ["max_steps", ["maxSteps"], ["maxSteps"]],
  ["MaxSteps", ["maxSteps"], ["maxSteps"]],
  ["selfConsistency", ["self-consistency", "self-refine"], ["self-consistency"]],
  ["raect", ["react", "recall", "reflect"], ["react"]],
  ["passed", ["none", "pass", "revise", "fail", "stale"], ["pass"]],
  ["evaluate", ["propose", "value", "judge"], []],
  ["plan", ["plan-and-solve", "react"], ["plan-and-solve"]],
  ["xyz", ["abc"], []],
  ["", ["a"], []],
  ["x", ["y"], []],
  ["__proto__", ["constructor"], []],
])("names what is near to %j", (name, candidates, near) => {
  expect(nearestNames(name, candidates)).toEqual(near);
});

it("asks a question, or stays silent", () => {
  expect(didYouMean("maxStep", ["maxSteps"])).toBe("did you mean `maxSteps`?");
  expect(didYouMean("stat", ["state", "start"])).toBe("did you mean `start` or `state`?");
  expect(didYouMean("zzz", ["state"])).toBeUndefined();
});

it("stays cheap for long names and long lists", () => {
  const started = performance.now();
  nearestNames(
    "x".repeat(1_000_000),
    Array.from({ length: 1_000 }, (_, index) => `name${index}`),
  );
  nearestNames(
    "name",
    Array.from({ length: 20_000 }, (_, index) => `name${index}`),
  );
  expect(performance.now() - started).toBeLessThan(2_000);
});
