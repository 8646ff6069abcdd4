import { describe, expect, it } from "vitest";
import { type NearStep, nearRepeat, nearRepeatText, overlap } from "./near-repeats.ts";

const look = (thought: string, args: string, result = "no such item"): NearStep => ({
  thought,
  calls: [{ name: "stock", arguments: args, result }],
});

const SPELLINGS = ['{"item":"nut"}', '{"item": "Nut"}', '{ "item":"NUT" }', '{"item":"ｎｕｔ"}'];
const THOUGHTS = [
  "I should look whether the nut is in the stock of the shop",
  "I should look whether the nut is in the stock of the shop.",
  "So I should look whether the nut is in the stock of the shop",
  "I should look whether the nut is in the stock of the shop!",
];
const circling = THOUGHTS.map((thought, index) => look(thought, SPELLINGS[index] ?? ""));

const measures = (steps: readonly NearStep[]) =>
  steps.map((_step, index) => nearRepeat(steps.slice(0, index + 1))?.measure);

describe("near repeats", () => {
  it("are told the second and the third time, and end the calls the fourth", () => {
    expect(measures(circling)).toEqual([undefined, "hint", "hint", "tools-off"]);
    expect(nearRepeat(circling)?.times).toBe(4);
  });

  it("are found with other steps between, and whatever the order of fields and calls", () => {
    const one = look("I look at both", '{"a":1,"b":{"c":2}}');
    const other = look("I look at both", '{"b": {"c": 2}, "a": 1}');
    const between = look("another way", '{"z":1}', "4");
    expect(nearRepeat([between, one, between, other])).toEqual({
      times: 2,
      measure: "hint",
    });
    const calls = [...one.calls, { name: "price", arguments: "{}", result: "5" }];
    expect(
      nearRepeat([
        { thought: "", calls },
        { thought: "", calls: calls.toReversed() },
      ])?.times,
    ).toBe(2);
  });

  it("are none where the calls are equal to the letter: core counts those", () => {
    const same = Array.from({ length: 5 }, () => circling[0] as NearStep);
    expect(measures(same)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it.each([
    ["results differ", SPELLINGS.map((args, index) => look("I look", args, `page ${index}`))],
    [
      "thoughts differ",
      SPELLINGS.map((args, index) =>
        look(`Way ${"abcd"[index]} is to go by ${"wxyz"[index]}`, args),
      ),
    ],
    [
      "calls differ",
      [1, 2, 3, 4].map((page) => look("I go to the next page", `{"page":${page}}`, "none")),
    ],
    ["there are no calls", [1, 2, 3, 4].map(() => ({ thought: "I think", calls: [] }))],
    [
      "the tool polls",
      circling.map(({ thought, calls }) => ({
        thought,
        calls: calls.map((call) => ({ ...call, isExempt: true })),
      })),
    ],
    [
      "the calls are thoughts",
      [1, 2, 3, 4].map(() => ({
        thought: "I think",
        calls: [{ name: "reflection", arguments: "{}", result: "Noted", isExempt: true }],
      })),
    ],
  ])("are none where %s", (_name, steps) => {
    expect(measures(steps)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("are none where something new was found in between", () => {
    const steps = circling.flatMap((step, index) => [
      step,
      look("I look at the next item", `{"item":${index}}`, `item ${index}`),
    ]);
    expect(measures(steps).every((measure) => measure === undefined)).toBe(true);
  });

  it("tell apart calls that hold the same words in other fields", () => {
    const steps = [look("x", '{"from":"a","to":"b"}'), look("x", '{"from":"b","to":"a"}')];
    expect(nearRepeat(steps)).toBeUndefined();
  });

  it("are told in both languages", () => {
    expect(nearRepeatText(2, "en")).toContain("nearly the same 2 times");
    expect(nearRepeatText(2, "zh")).toContain("2 次");
  });
});

describe("the overlap of two thoughts", () => {
  it.each([
    ["", "", 1],
    ["look at the nut", "", 0],
    ["Look at the nut.", "look at THE nut", 1],
    ["a b c d", "a b c e", 0.75],
    ["查询北京的天气", "查询北京的天气。", 1],
    ["查询北京的天气", "预订上海的酒店", 0],
  ])("of %j and %j is %d", (one, other, share) => {
    expect(overlap(one, other)).toBe(share);
  });

  it("is high for Chinese thoughts with one letter more", () => {
    expect(
      overlap("我需要查询北京明天的天气情况如何", "我需要再查询北京明天的天气情况如何"),
    ).toBeGreaterThan(0.85);
  });
});
