import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDates, isKnownDate, knownDates } from "./dates.ts";

const readingsOf = (text: string) => findDates(text).map(({ readings }) => readings);

describe("findDates", () => {
  it.each([
    "2026-08-24",
    "2026/8/24",
    "2026.08.24",
    "2026-08-24T10:30:00Z",
    "24 Aug 2026",
    "24th of August, 2026",
    "24-Aug-2026",
    "Aug. 24, 2026",
    "August 24 2026",
    "August 24th, 2026",
    "2026年8月24日",
    "2026 年 08 月 24 号",
    "24/08/2026",
    "24.8.2026",
    "08/24/2026",
    "on 2026-08-24.",
  ])("reads %j as one day", (text) => {
    expect(readingsOf(text)).toStrictEqual([["2026-08-24"]]);
  });

  it("reads days without a year, and both ways where day and month can be swapped", () => {
    expect(readingsOf("Aug 24 or 25 August or 8月26日")).toStrictEqual([
      ["--08-24"],
      ["--08-25"],
      ["--08-26"],
    ]);
    expect(readingsOf("03/04/2026")).toStrictEqual([["2026-04-03", "2026-03-04"]]);
    expect(readingsOf("29 Feb")).toStrictEqual([["--02-29"]]);
  });

  it.each([
    "2026-13-01",
    "2026-02-30",
    "31 June 2026",
    "1.2.3",
    "v2026.08.24.1",
    "10-20",
    "192.168.10.2026",
    "A20260824001",
    "May 2026",
    "marching 12",
    "12 monkeys",
    "August",
    "May 12.5",
  ])("finds no day in %j", (text) => {
    expect(readingsOf(text)).toStrictEqual([]);
  });

  it("knows a day however it is written, also as bare digits", () => {
    const known = knownDates("paid 20260824, shipped Sep 1, due 2 October 2026");
    expect(
      findDates("2026-08-24, 2026-09-01, Oct 2, 2 Oct 2026").map((date) =>
        isKnownDate(date, known),
      ),
    ).toStrictEqual([true, true, true, true]);
    expect(
      findDates("2025-08-24, 2026-09-02, Oct 3").map((date) => isKnownDate(date, known)),
    ).toStrictEqual([false, false, false]);
  });

  it("knows every day that was written in any of the usual forms", () => {
    const names = [
      "January",
      "February",
      "March",
      "April",
      "May",
      "June",
      "July",
      "August",
      "September",
      "October",
      "November",
      "December",
    ];
    const day = fc.record({
      year: fc.integer({ min: 1900, max: 2099 }),
      month: fc.integer({ min: 1, max: 12 }),
      day: fc.integer({ min: 1, max: 28 }),
    });
    const forms: readonly ((date: { year: number; month: number; day: number }) => string)[] = [
      ({ year, month, day: d }) =>
        `${year}-${String(month).padStart(2, "0")}-${String(d).padStart(2, "0")}`,
      ({ year, month, day: d }) => `${year}年${month}月${d}日`,
      ({ year, month, day: d }) => `${d} ${names[month - 1]} ${year}`,
      ({ year, month, day: d }) => `${names[month - 1]?.slice(0, 3)} ${d}, ${year}`,
      ({ year, month, day: d }) => `${d}/${month}/${year}`,
    ];
    fc.assert(
      fc.property(
        day,
        fc.constantFrom(...forms),
        fc.constantFrom(...forms),
        (date, claim, source) => {
          const found = findDates(`It is due ${claim(date)}, we think.`);
          expect(found).toHaveLength(1);
          expect(
            found.every((one) => isKnownDate(one, knownDates(`due: ${source(date)}; more`))),
          ).toBe(true);
        },
      ),
    );
  });
});
