import type {
  Answer,
  CheckContext,
  CheckResult,
  Constraint,
  RunState,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { constraints } from "./constraints.ts";

function check(
  list: readonly (string | Omit<Constraint, "id">)[],
  answer: Partial<Answer>,
  evaluate: (rule: string) => unknown = () => true,
): CheckResult {
  const run = constraints.run as unknown as (
    state: RunState,
    context: CheckContext,
    options: unknown,
  ) => CheckResult;
  const whole = { text: "", reasoning: "", value: null, evidence: [], solvable: true, ...answer };
  const task = {
    constraints: list.map((entry, index) => ({
      id: `c${index}`,
      ...(typeof entry === "string" ? { text: entry } : entry),
    })),
  };
  return run(
    { answer: whole, task } as unknown as RunState,
    { evaluate } as unknown as CheckContext,
    {},
  );
}

/** met, missed or left to the judge */
function outcome(constraint: string, text: string): string {
  const { issues, unchecked = [] } = check([constraint], { text });
  return issues.length > 0 ? "missed" : unchecked.length > 0 ? "judge" : "met";
}

describe("constraints by rule", () => {
  const constraint = { text: "Stay under 100.", rule: "answer.value.total < 100" };

  it("evaluates the rule", () => {
    expect(check([constraint], {})).toStrictEqual({ issues: [], unchecked: [] });
    expect(check([constraint], {}, () => false).issues).toMatchObject([
      {
        kind: "missed-constraint",
        detail: '"Stay under 100." is missed: its rule `answer.value.total < 100` does not hold.',
        needs: "rewrite",
      },
    ]);
  });

  it("tells a rule that can't be computed, and goes on with the others", () => {
    const evaluate = (rule: string) => {
      if (rule.startsWith("answer")) throw new Error("No such key: total");
      return 3;
    };
    const result = check([constraint, { text: "b", rule: "1 + 2" }, "c is nice"], {}, evaluate);
    expect(result.issues.map(({ detail }) => detail)).toStrictEqual([
      '"Stay under 100." is missed: its rule `answer.value.total < 100` can\'t be computed: No such key: total.',
      '"b" is missed: its rule `1 + 2` can\'t be computed: it gives 3, not true or false.',
    ]);
    expect(result.unchecked).toStrictEqual(["c is nice"]);
    expect(check([constraint], { solvable: false }, evaluate)).toStrictEqual({
      issues: [],
      unchecked: ["Stay under 100."],
    });
  });
});

describe("constraints by wording", () => {
  it.each([
    ["At most 5 words.", "one two three four five", "met"],
    ["At most 5 words.", "one two three four five six", "missed"],
    ["The answer must have no more than 3 words", "well-known facts here", "judge"],
    ["At least 3 words", "two words", "missed"],
    ["Fewer than 3 words", "one two three", "missed"],
    ["Use at most two sentences.", "One. Two.", "met"],
    ["Use at most two sentences.", "One. Two. Three.", "missed"],
    ["Answer in two sentences.", "Only one here.", "missed"],
    ["Answer in 2 sentences.", "Mr. Smith came. He left.", "judge"],
    ["50 words or fewer", "short", "met"],
    ["In 50 words", "short", "judge"],
    ["The reply must not exceed 10 characters.", "exactly 10", "met"],
    ["The reply must not exceed 10 characters.", "more than ten characters", "missed"],
    ["Exactly 2 lines", "a\nb", "met"],
    ["Each bullet has at most 3 words.", "one two three four", "judge"],
    ["At most 3 words about the price and a greeting", "one two three four", "judge"],
    ["回答不超过10个字。", "您的包裹已经发出，请注意查收", "missed"],
    ["回答不超过10个字。", "已发货。", "met"],
    ["请用两句话回答。", "已发货。明天到。", "met"],
    ["最多1句话", "已发货。明天到。", "missed"],
    ["字数控制在20字以内", "好的", "met"],
    ["大约20字左右", "好的", "judge"],
  ])("length: %s | %s: %s", (constraint, text, expected) => {
    expect(outcome(constraint, text)).toBe(expected);
  });

  it.each([
    ['The answer must contain the words "free of charge".', "It is free of charge.", "met"],
    ['The answer must contain the words "free of charge".', "It costs nothing.", "missed"],
    ['The answer must contain "YES".', "yes", "judge"],
    ['Mention "rain" and "wind".', "rain only", "missed"],
    ['Mention "rain" or "wind".', "snow", "judge"],
    ['Never say "sorry".', "We are sorry.", "missed"],
    ['Never say "he" or "she".', "The sheep is there.", "met"],
    ['Do not use the word "guarantee".', "We guarantee it.", "missed"],
    ['The word "price" must not appear.', "The price is 5.", "missed"],
    ['Avoid "very".', "very good", "missed"],
    ["不得出现“保证”。", "我们保证送达。", "missed"],
    ["回答中不要使用“保证”、“一定”等字样。", "我们尽快送达。", "met"],
    ["必须包含“感谢”。", "谢谢您。", "missed"],
    ["Mention the date 2026-08-24.", "It arrives on Aug 24, 2026.", "met"],
    ["Mention the date 2026-08-24.", "It arrives on Aug 25, 2026.", "missed"],
    ["Never mention A20260824001.", "Order A20260824001 is late.", "missed"],
    ["Must mention the number 1,250.50", "It costs 1250.5.", "met"],
    ["Must mention the number 1,250.50", "It costs 1250.", "missed"],
    ['If the order is late, say "sorry".', "All fine.", "judge"],
    ['Say "you", not "they".', "they", "judge"],
    ['Use "metric" units.', "5 miles", "judge"],
    ["Never promise a delivery date that no tool returned.", "Tomorrow!", "judge"],
    ["Mention 3 options.", "one option", "judge"],
    ["No more talk.", "talk", "judge"],
  ])("mention: %s | %s: %s", (constraint, text, expected) => {
    expect(outcome(constraint, text)).toBe(expected);
  });

  it("says what is wrong and what to do", () => {
    expect(
      check(['Never say "sorry".', "At most 2 words."], { text: "We are sorry" }).issues,
    ).toStrictEqual([
      {
        kind: "missed-constraint",
        detail: '"Never say "sorry"." is missed: the answer says "sorry".',
        requiredAction: 'Take "sorry" out of the answer.',
        needs: "rewrite",
      },
      {
        kind: "missed-constraint",
        detail: '"At most 2 words." is missed: the answer has 3 words.',
        requiredAction: "Shorten the answer to 2 words at most.",
        needs: "rewrite",
      },
    ]);
  });

  it("reads a typed answer: all its strings for words, its one string for lengths", () => {
    const value = { reply: "We are sorry", changed: false };
    expect(
      check(['Never say "sorry".', "At most 2 words."], { text: JSON.stringify(value), value })
        .issues,
    ).toHaveLength(2);
    expect(
      check(["At most 2 words."], { text: "", value: { a: "one two three", b: "x" } }),
    ).toStrictEqual({ issues: [], unchecked: ["At most 2 words."] });
  });

  it("leaves an answer that says there is none to the judge", () => {
    expect(check(['Mention "rain".'], { text: "I can't tell.", solvable: false })).toStrictEqual({
      issues: [],
      unchecked: ['Mention "rain".'],
    });
  });
});
