import { expect } from "vitest";

const SLIPS = [TypeError, ReferenceError, RangeError, SyntaxError] as const;

/** What a promise rejects with; throws when it resolves. */
export async function failureOf(task: () => unknown, wanted: string): Promise<unknown> {
  let result: unknown;
  try {
    result = await task();
  } catch (thrown) {
    return thrown;
  }
  throw new Error(`${wanted}, but it gave ${JSON.stringify(result)}`);
}

/** Asserts that a failure is an error with a message for people: no slip of the code, no stack, no dump. */
export function expectPlainFailure(thrown: unknown): void {
  expect(thrown).toBeInstanceOf(Error);
  const { message } = thrown as Error;
  expect(
    SLIPS.some((slip) => Object.getPrototypeOf(thrown) === slip.prototype),
    `a slip of the code: ${message}`,
  ).toBe(false);
  expect(message.trim().length, "length of the message").toBeGreaterThan(7);
  expect(message.length, "length of the message").toBeLessThan(1_000);
  expect(message).not.toMatch(/\n\s+at |\[object \w+\]/);
}
