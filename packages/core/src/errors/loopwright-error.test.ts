import { expect, test, vi } from "vitest";
import {
  isLoopwrightError,
  LimitError,
  LoopwrightError,
  ProviderError,
} from "./loopwright-error.ts";

const limit = new LimitError("limit-tokens", "the tokens are used up");

test("an error is an instance of its family and of the base, and of no other family", () => {
  expect(limit).toBeInstanceOf(LimitError);
  expect(limit).toBeInstanceOf(LoopwrightError);
  expect(limit).toBeInstanceOf(Error);
  expect(limit).not.toBeInstanceOf(ProviderError);
  expect(new Error("plain")).not.toBeInstanceOf(LoopwrightError);
});

test("an error of another copy of the package is an instance of the same family here", async () => {
  vi.resetModules();
  const other = await import("./loopwright-error.ts");
  expect(other.LimitError).not.toBe(LimitError);
  const foreign = new other.LimitError("limit-tokens", "the tokens are used up");
  expect(foreign).toBeInstanceOf(LimitError);
  expect(foreign).toBeInstanceOf(LoopwrightError);
  expect(foreign).not.toBeInstanceOf(ProviderError);
  expect(isLoopwrightError(foreign)).toBe(true);
});

test("a subclass of a plugin's own knows its own errors alone", () => {
  class QuotaError extends ProviderError {}
  expect(new QuotaError("provider-failed", "x")).toBeInstanceOf(QuotaError);
  expect(new QuotaError("provider-failed", "x")).toBeInstanceOf(ProviderError);
  expect(new ProviderError("provider-failed", "x")).not.toBeInstanceOf(QuotaError);
});
