import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

test.each([
  ["rnu", "run"],
  ["chekc", "check"],
  ["expl", "explain"],
  ["plugin", "plugins"],
])("%s means %s", (typed, meant) => {
  expect(nearestName(typed, ["run", "check", "explain", "plugins"])).toBe(meant);
});

test.each(["", "x", "deploy", "constructor"])("%j means nothing here", (typed) => {
  expect(nearestName(typed, ["run", "check", "explain", "plugins"])).toBeUndefined();
});
