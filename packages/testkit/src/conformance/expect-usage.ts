import type { Usage } from "@loopwright/core/plugin";
import { expect } from "vitest";

/** Asserts that a usage is made of counts. */
export function expectUsage(usage: Usage): void {
  const counts = [usage.input, usage.cacheRead, usage.cacheWrite, usage.output, usage.reasoning];
  for (const count of counts) expect(Number.isInteger(count) && count >= 0, "usage").toBe(true);
  expect(usage.reasoning, "reasoning is a part of the output").toBeLessThanOrEqual(usage.output);
}
