import type { Lesson } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { rank } from "./ranking.ts";

let day = 0;
const lesson = (trigger: string, text: string, more: Partial<Lesson> = {}): Lesson => {
  day += 1;
  return {
    id: `l${day}`,
    trigger,
    failurePattern: "",
    lesson: text,
    avoid: "",
    source: "run",
    time: new Date(Date.UTC(2026, 0, day)).toISOString(),
    scope: "order-desk",
    uses: 0,
    ...more,
  };
};

const dates = lesson(
  "A customer asks when a parcel arrives",
  "Quote the carrier's date or say that there is none.",
);
const addresses = lesson(
  "A customer wants another delivery address",
  "Read the order's status first.",
);
const refunds = lesson("A customer asks for a refund", "Name the refund policy.", { uses: 7 });

describe("rank", () => {
  it.each([
    ["Where are my parcels, and when do they arrive?", dates],
    ["Please change the address of my order", addresses],
    ["I want a refund", refunds],
  ])("puts the lesson for %j first", (text, expected) => {
    expect(rank([dates, addresses, refunds], text, 3)[0]).toBe(expected);
  });

  it("reads Chinese, where no spaces part the words", () => {
    const delivery = lesson("客户询问送达日期", "只引用承运商给出的日期");
    const address = lesson("客户要求修改收货地址", "先查询订单状态");
    const all = [delivery, address, dates];
    expect(rank(all, "我的包裹的送达日期是哪天？", 1)).toEqual([delivery]);
    expect(rank(all, "请把收货地址改成北京路1号", 1)).toEqual([address]);
    expect(rank(all, "order发货地址", 1)).toEqual([address]);
  });

  it("lets a rare word count more than one that every lesson has", () => {
    const [order] = rank([dates, addresses, refunds], "a customer and a parcel", 1);
    expect(order).toBe(dates);
  });

  it("puts the newest first among equals", () => {
    const older = lesson("refund", "ask first");
    const newer = lesson("refund", "ask first");
    expect(rank([older, newer], "refund", 2)).toEqual([newer, older]);
  });

  it("fills up with the most used lessons where few words are shared", () => {
    expect(rank([dates, addresses, refunds], "parcel", 2)).toEqual([dates, refunds]);
    expect(rank([dates, addresses, refunds], "", 2)).toEqual([refunds, addresses]);
  });

  it("gives no more than asked for", () => {
    expect(rank([dates, addresses], "customer", 0)).toEqual([]);
    expect(rank([dates, addresses], "customer", 1)).toHaveLength(1);
  });
});
