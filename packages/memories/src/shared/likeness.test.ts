import { describe, expect, it } from "vitest";
import { isAlike } from "./likeness.ts";

const said = (trigger: string, lesson: string) => ({ trigger, lesson });

describe("isAlike", () => {
  it("folds case, width, spaces and punctuation around a text", () => {
    expect(
      isAlike(
        said("A customer asks for a date", "Quote the carrier."),
        said("  a CUSTOMER asks\nfor a ｄａｔｅ. ", "quote the carrier"),
      ),
    ).toBe(true);
  });

  it("takes lessons that share nine words of ten as the same", () => {
    const long =
      "always read the order before you answer a question about its delivery date and carrier";
    expect(isAlike(said("delivery", long), said("delivery", `${long} today`))).toBe(true);
    expect(
      isAlike(said("delivery", long), said("delivery", `${long} and ask for its number first`)),
    ).toBe(false);
  });

  it.each([
    ["not", "do this with the order before the customer asks for a date of delivery in writing"],
    ["5", "do this with the order before the customer asks for a date of delivery in writing"],
    ["不", "先查询订单状态再回答客户关于送达日期的任何问题并且说明承运商的名称以及物流编号"],
  ])("never takes %s for a detail", (word, text) => {
    expect(isAlike(said("", text), said("", `${word} ${text}`))).toBe(false);
  });

  it("tells texts of punctuation apart", () => {
    expect(isAlike(said("", "!!"), said("", "??"))).toBe(false);
    expect(isAlike(said("", "!!"), said("", "!!"))).toBe(true);
  });
});
