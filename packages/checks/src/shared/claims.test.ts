import { describe, expect, it } from "vitest";
import { findClaims, plainNumber } from "./claims.ts";

describe("findClaims", () => {
  it("tells dates, ids, quotations and numbers apart", () => {
    const claims = findClaims(
      'Order A20260824001 of 24 Aug 2026 at 10:30 cost 1,234.50 (12 items, "two boxes") in SKU-1234.',
    );
    expect(claims.dates.map(({ text }) => text)).toStrictEqual(["24 Aug 2026"]);
    expect(claims.ids).toStrictEqual(["A20260824001", "SKU-1234"]);
    expect(claims.quotes).toStrictEqual(["two boxes"]);
    expect(claims.numbers).toStrictEqual(["1,234.50", "12"]);
  });

  it("reads Chinese text", () => {
    const claims = findClaims(
      "订单A20260824001已于2026年8月24日发货，共3件，金额1299元，状态为“已签收”和「完成」。",
    );
    expect(claims.dates.map(({ text }) => text)).toStrictEqual(["2026年8月24日"]);
    expect(claims.ids).toStrictEqual(["A20260824001"]);
    expect(claims.quotes).toStrictEqual(["已签收", "完成"]);
    expect(claims.numbers).toStrictEqual(["1299"]);
  });

  it.each([
    "100km",
    "500ms",
    "UTF-16",
    "ISO-8601",
    "RFC2119",
    "GPT-4",
    "3rd",
    "24-hour",
    "350-page",
    "H2O",
    "naïve123é",
  ])("takes %j for no id", (text) => {
    expect(findClaims(text).ids).toStrictEqual([]);
  });

  it("takes no quotation from code, inches or empty marks", () => {
    expect(
      findClaims('a 5" pipe\n`print("x y")` and ```\n"code"\n``` and "!?" and ""').quotes,
    ).toStrictEqual([]);
  });

  it("writes equal numbers alike", () => {
    expect(["1,234.50", "1234.5", "01234.500"].map(plainNumber)).toStrictEqual([
      "1234.5",
      "1234.5",
      "1234.5",
    ]);
    expect(["100", "0.10", "0"].map(plainNumber)).toStrictEqual(["100", "0.1", "0"]);
  });
});
