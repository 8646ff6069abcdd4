import { describe, expect, it } from "vitest";
import { isSupported } from "./quoted-support.ts";

/** Whether a quote, which is the text itself, holds a value. */
const holds = (value: string | number, quote: string) => isSupported(value, quote, quote);

describe("quoted words", () => {
  it("hold a number only where it stands there whole", () => {
    for (const [value, quote] of [
      [15, "15 apples in 2012"],
      [2012, "15 apples in 2012."],
      [1299.5, "1,299.50 EUR"],
      [1299.5, "1.299,50 EUR"],
      [1299.5, "1 299,50 EUR"],
      [24, "24.08.2026"],
      [24, "2026-08-24"],
      [-5, "−5 degrees"],
      [150, "10, 150"],
      [15, "１５元"],
      [15, "共15元"],
    ] as const)
      expect([value, quote, holds(value, quote)]).toEqual([value, quote, true]);
    for (const [value, quote] of [
      [5, "15 apples in 2012"],
      [12, "15 apples in 2012"],
      [299, "1,299.50 EUR"],
      [5, "7.5 kg"],
      [-5, "5 degrees"],
    ] as const)
      expect([value, quote, holds(value, quote)]).toEqual([value, quote, false]);
  });

  it("hold a text only as whole words, in scripts that part words", () => {
    for (const [value, quote] of [
      ["ad", "an ad."],
      ["A1", "no A1,"],
      ["#a", "x#a"],
      ["北京", "我在北京工作"],
      ["A1", "订单A1已发"],
      ["ad", "bad ad"],
    ] as const)
      expect([value, quote, holds(value, quote)]).toEqual([value, quote, true]);
    for (const [value, quote] of [
      ["ad", "bad"],
      ["A1", "A12"],
      ["naïv", "naïve"],
      ["15", "2015"],
    ] as const)
      expect([value, quote, holds(value, quote)]).toEqual([value, quote, false]);
  });

  it("stand in the text, which holds every item of a list", () => {
    const text = "Paid 10, then 15.\nTo Anna";
    expect(isSupported(10, "Paid 10, then 15. To Anna", text)).toBe(true);
    expect(isSupported(10, "Paid 10 EUR", text)).toBe(false);
    expect(isSupported([10, 15, "Anna"], "Paid 10", text)).toBe(true);
    expect(isSupported([10, 5], "Paid 10", text)).toBe(false);
    expect(isSupported(10, " ", text)).toBe(false);
  });
});
