import { expect, it } from "vitest";
import {
  chainFault,
  IncludeBudget,
  maxExtendsLength,
  maxIncludedCharacters,
  maxIncludedFiles,
} from "./include-budget.ts";

it("takes files up to the cap, and tells the excess once", () => {
  const budget = new IncludeBudget();
  for (let count = 0; count < maxIncludedFiles; count++) expect(budget.take(1)).toBeUndefined();
  expect(budget.take(1)).toContain(`more than ${maxIncludedFiles} files`);
  expect(budget.take(1)).toBe("");
});

it("takes characters up to the cap", () => {
  const budget = new IncludeBudget();
  expect(budget.take(maxIncludedCharacters)).toBeUndefined();
  expect(budget.take(1)).toContain("together more than");
});

it("says that it is spent from the first overrun on", () => {
  const budget = new IncludeBudget();
  budget.take(maxIncludedCharacters);
  expect(budget.isSpent).toBe(false);
  budget.take(1);
  expect(budget.isSpent).toBe(true);
});

it("refuses a chain above the cap", () => {
  expect(chainFault(maxExtendsLength)).toBeUndefined();
  expect(chainFault(maxExtendsLength + 1)).toContain(`more than ${maxExtendsLength} files`);
});
