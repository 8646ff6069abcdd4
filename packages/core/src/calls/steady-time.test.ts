import { expect, it } from "vitest";
import type { Clock } from "../contracts/service.ts";
import { steadyNow } from "./steady-time.ts";

const clockAt = (times: number[]): Clock => ({
  now: () => times.shift() ?? 0,
  after: () => () => undefined,
});

it("goes with its clock, and on from where it was when that is set back", () => {
  const clock = clockAt([100, 150, 50, 60, 200, 199, 210]);
  const told = Array.from({ length: 7 }, () => steadyNow(clock));
  expect(told).toEqual([100, 150, 150, 160, 300, 300, 311]);
});
