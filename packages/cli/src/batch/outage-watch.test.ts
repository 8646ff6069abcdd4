import { expect, test } from "vitest";
import { OutageWatch } from "./outage-watch.ts";

const MANY = 20;
const takeAll = (codes: readonly (string | undefined)[]): readonly boolean[] => {
  const watch = new OutageWatch();
  return codes.map((code) => watch.take(code));
};

test("a refused key is the end at once", () => {
  expect(takeAll([undefined, "provider-unauthorized"])).toEqual([false, true]);
});

test("an endpoint that fails many rows on end is out of order", () => {
  const down = takeAll(Array.from({ length: MANY }, () => "provider-unavailable"));
  expect(down.indexOf(true)).toBe(MANY - 1);
});

test("rows that fail for themselves, and rows with a value between, begin the count again", () => {
  const half: string[] = Array.from({ length: MANY - 1 }, () => "provider-timeout");
  expect(takeAll([...half, undefined, ...half])).not.toContain(true);
  expect(takeAll([...half, "output-invalid", ...half])).not.toContain(true);
});
