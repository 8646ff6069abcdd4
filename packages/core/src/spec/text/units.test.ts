import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCount, parseDuration, parseRate } from "./units.ts";

describe("durations", () => {
  it.each<[unknown, number | undefined]>([
    ["500ms", 500],
    ["5s", 5_000],
    ["2m", 120_000],
    ["1h", 3_600_000],
    ["90d", 7_776_000_000],
    ["1.5s", 1_500],
    ["0.1s", 100],
    ["0s", 0],
    ["5", undefined],
    [5, undefined],
    ["5 s", undefined],
    ["-5s", undefined],
    [".5s", undefined],
    ["5sec", undefined],
    ["1m30s", undefined],
    ["5S", undefined],
    ["", undefined],
    ["999999999999999d", undefined],
    [null, undefined],
  ])("reads %j as %j", (value, ms) => {
    expect(parseDuration(value)).toBe(ms);
  });
});

describe("counts", () => {
  it.each<[unknown, number | undefined]>([
    [2000, 2_000],
    [0, 0],
    ["200k", 200_000],
    ["2M", 2_000_000],
    ["1.5k", 1_500],
    ["1.0015k", undefined],
    ["12", 12],
    [-1, undefined],
    [1.5, undefined],
    [Number.NaN, undefined],
    ["2m", undefined],
    ["2K", undefined],
    ["-2k", undefined],
    ["0x10", undefined],
    ["", undefined],
    [true, undefined],
  ])("reads %j as %j", (value, count) => {
    expect(parseCount(value)).toBe(count);
  });
});

describe("rates", () => {
  it.each<[unknown, unknown]>([
    ["10/1m", { count: 10, perMs: 60_000 }],
    ["10/m", { count: 10, perMs: 60_000 }],
    ["2k/1h", { count: 2_000, perMs: 3_600_000 }],
    ["10/0s", undefined],
    ["0/1m", undefined],
    ["10/60", undefined],
    ["10/1m/2", undefined],
    ["10", undefined],
    [10, undefined],
  ])("reads %j", (value, rate) => {
    expect(parseRate(value)).toEqual(rate);
  });
});

it("takes anything without throwing", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      for (const read of [parseDuration, parseCount, parseRate]) read(value);
    }),
  );
});
