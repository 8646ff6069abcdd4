import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Answer, CheckContext, CheckResult, RunState } from "@loopwright/core/plugin";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arithmetic } from "./arithmetic.ts";

function check(answer: Partial<Answer>, options: Record<string, unknown> = {}): CheckResult {
  const run = arithmetic.run as unknown as (
    state: RunState,
    context: CheckContext,
    options: unknown,
  ) => CheckResult;
  const whole = { text: "", reasoning: "", value: null, evidence: [], solvable: true, ...answer };
  return run({ answer: whole } as unknown as RunState, {} as CheckContext, {
    tolerance: 0,
    ...options,
  });
}

const detailsOf = (text: string, options?: Record<string, unknown>) =>
  check({ text }, options).issues.map((issue) => issue.detail);

describe("arithmetic over equations", () => {
  it.each([
    ["So the total is 249 - 40 = 208.", '"249 - 40 = 208" is false; it is 249 - 40 = 209.'],
    ["209 * 0.92 = 190.28", '"209 * 0.92 = 190.28" is false; it is 209 * 0.92 = 192.28.'],
    ["$1,200 × 3 = $3,500", '"$1,200 × 3 = $3,500" is false; it is $1,200 × 3 = 3600.'],
    ["10 * 1 = 24 (left: 24)", '"10 * 1 = 24" is false; it is 10 * 1 = 10.'],
    ["Answer: (6 - 4) * 5 = 24", '"(6 - 4) * 5 = 24" is false; it is (6 - 4) * 5 = 10.'],
    ["总价：249 − 40 = 208元", '"249 − 40 = 208" is false; it is 249 − 40 = 209.'],
    ["所以，１２ × ３ ＝ ３５。", '"１２ × ３ ＝ ３５" is false; it is １２ × ３ = 36.'],
    ["**249 - 40 = 208**", '"249 - 40 = 208" is false; it is 249 - 40 = 209.'],
    ["10 / 3 = 3.34", '"10 / 3 = 3.34" is false; it is 10 / 3 = 3.33.'],
    ["total = 5 * 3 = 14", '"5 * 3 = 14" is false; it is 5 * 3 = 15.'],
    ["5 + 3 = 8 + 1", '"5 + 3 = 8 + 1" is false; it is 5 + 3 = 8.'],
    ["5 + 3 = 9 + 1 = 10", '"5 + 3 = 9 + 1" is false; it is 5 + 3 = 8.'],
    ["1/3 = 34%", '"1/3 = 34%" is false; it is 1/3 = 33.33%.'],
    ["1. 2 + 2 = 5", '"2 + 2 = 5" is false; it is 2 + 2 = 4.'],
    ["2) 2 + 2 = 5", '"2 + 2 = 5" is false; it is 2 + 2 = 4.'],
    ["- 2 + 2 = 5", '"- 2 + 2 = 5" is false; it is - 2 + 2 = 0.'],
    ["5 x 3 = 14", '"5 x 3 = 14" is false; it is 5 x 3 = 15.'],
    ["24 = 3 * 9", '"24 = 3 * 9" is false; it is 24 = 24.'],
    ["2^10 = 1000", '"2^10 = 1000" is false; it is 2^10 = 1024.'],
    ["(5 + 3 = 9)", '"5 + 3 = 9" is false; it is 5 + 3 = 8.'],
    ["not now. 2 + 2 = 5", '"2 + 2 = 5" is false; it is 2 + 2 = 4.'],
  ])("reports %j", (text, detail) => {
    expect(detailsOf(text)).toContain(detail);
  });

  it.each([
    "A = 5",
    "x = 3",
    "left: 1 5",
    "2026-08-24 = Monday",
    "2x + 3 = 7",
    "x + 3 = 7",
    "Table 3 = 1 + 2",
    "a = 5, b = 7",
    "249 - 40 = 209 * 0.92 = 192.28",
    "f(3 + 1) = 9",
    "log (3 + 7) = 1",
    "sqrt(16) = 4",
    "5! = 120",
    "3² + 1 = 10",
    "7 / 3 = 2 remainder 1",
    "7 / 3 = 2 余 1",
    "7 // 3 = 2",
    "17 % 5 = 2",
    "100 + 20% = 120",
    "100 - 20% = 80",
    "500 * 3 = 1.5k",
    "500 * 3000 = 1.5 million",
    "5000 * 3 = 1.5万",
    "1 + 2 + ... + 10 = 55",
    "1 + 2 + … + 10 = 55",
    "1 1/2 + 2 = 3 1/2",
    "10:30 + 45 = 11:15",
    "1,5 + 1,5 = 3",
    "3.5.2 + 1 = 7",
    "it is not true that 2 + 2 = 5",
    "If 2 + 2 = 5 then",
    "Is 2 + 2 = 5?",
    "2 + 2 != 5",
    "2 + 2 >= 5",
    "2 + 2 == 5",
    "Step 2 - 5 + 3 = 8",
    "5 plus 3 * 4 = 17 is odd",
    "5 kg * 3 = 16 lb",
    "20% of 50 = 10",
    "i = i + 1",
    "?a=1&b=2",
    "|3 - 5| = 2",
    "[3 + 4] * 2 = 15",
    "2(3 + 4) = 15",
    "3 · 4 = 13",
    "v1.2 + 3 = 5",
    "10 + 4 = 2 (mod 12)",
    "1 + 1 = 10 in binary",
    "\\frac{1}{2} + 1 = 2",
    "(x + 1) * 2 = 7",
    "5 - x = 3",
    "3 * 4 = 12 x",
    "- 5 + 3 = 8",
    "- 5 + 3 = -2",
    "5 加 3 * 4 = 17",
    "12 ± 3 = 16",
    "√2 * 3 = 4",
    "第2步 - 5 + 3 = 8",
    "2 * 3 = 7!",
  ])("leaves %j alone", (text) => {
    expect(detailsOf(text)).toStrictEqual([]);
  });

  it.each([
    "249 - 40 = 209",
    "209 * 0.92 = 192.28",
    "10 / 3 = 3.33",
    "10 / 3 = 3.333...",
    "11 / 3 = 3.66…",
    "2.5 + 0 = 3",
    "5 / 2 = 2.5",
    "0.1 + 0.2 = 0.3",
    "1/4 = 25%",
    "5 / 20 * 100 = 25%",
    "1/3 = 33.3%",
    "5% + 3% = 8%",
    "20% * 50 = 10",
    "$1,200 * 3 = $3,600.00",
    "24 = 3 * 8",
    "(10 - 4) * 5 - 6 = 24",
    "-5 + 3 = -2",
    "10 / 3 * 3 = 3.33 * 3",
    "2**3 = 8",
    "**5** + 3",
    "1e3 * 2 = 2000",
    "7 / 2 = 4",
    "2000 / 75 = 26.666666666666668",
    "3 * (2 + 5 = 7)",
    "(1,000 + 234.5) * 2 = 2,469",
    "5 + 3 = 8 - which is right",
    "6 * 7 = 42 个",
    "￥12 + ￥3 = ￥15",
    "Total cost: 12 + 3 = 15.",
  ])("accepts %j", (text) => {
    expect(detailsOf(text)).toStrictEqual([]);
  });

  it("finds each of several equations, in the reasoning too, and tells the same one once", () => {
    const result = check({ reasoning: "2 + 2 = 5, 3 + 3 = 6; 4 + 4 = 9", text: "2 + 2 = 5" });
    expect(result.issues.map(({ detail }) => detail.split(" is ")[0])).toStrictEqual([
      '"2 + 2 = 5"',
      '"4 + 4 = 9"',
    ]);
    expect(result.issues[0]).toMatchObject({ kind: "contradiction", needs: "rewrite" });
  });

  it("allows the tolerance of its options", () => {
    expect(detailsOf("10 / 4 = 2.6", { tolerance: 0.1 })).toStrictEqual([]);
    expect(detailsOf("10 / 4 = 2.7", { tolerance: 0.1 })).toHaveLength(1);
  });

  type Tree = number | readonly [Tree, string, Tree];
  const write = (tree: Tree): string =>
    typeof tree === "number" ? String(tree) : `(${write(tree[0])} ${tree[1]} ${write(tree[2])})`;
  const compute = (tree: Tree): bigint => {
    if (typeof tree === "number") return BigInt(tree);
    const [left, right] = [compute(tree[0]), compute(tree[2])];
    return tree[1] === "+" ? left + right : tree[1] === "-" ? left - right : left * right;
  };
  const trees = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      fc.nat(9999),
      fc.tuple(tie("tree"), fc.constantFrom("+", "-", "*"), tie("tree")),
    ),
  })).tree;
  const openings = fc.constantFrom(
    "",
    "So the total is ",
    "Step 3: ",
    "- ",
    "总价：",
    "Then, ",
    "1. ",
    "**",
  );
  const endings = fc.constantFrom(
    "",
    ".",
    " dollars",
    "元",
    ", which is right",
    "**",
    "; next",
    " (left: 1 5)",
  );

  it("never reports an equation that holds, and always one that is off", () => {
    fc.assert(
      fc.property(
        trees,
        trees,
        openings,
        endings,
        fc.integer({ min: 1, max: 50 }),
        (left, right, opening, ending, off) => {
          const sum: Tree = [left, "+", right];
          const text = write(sum);
          expect(detailsOf(`${opening}${text} = ${compute(sum)}${ending}`)).toStrictEqual([]);
          expect(
            detailsOf(`${opening}${text} = ${compute(sum) + BigInt(off)}${ending}`),
          ).toHaveLength(1);
        },
      ),
    );
  });

  it("takes any text", () => {
    const sign = fc.constantFrom(..."0123456789.,+-*/%^()= x$（，。的abc\n".split(""));
    fc.assert(
      fc.property(
        fc.array(sign).map((signs) => signs.join("")),
        (text) => Array.isArray(detailsOf(text)),
      ),
      { numRuns: 2000 },
    );
  });
});

describe("arithmetic over the answer line", () => {
  interface Puzzle {
    readonly index: number;
    readonly puzzle: string;
    readonly samples: readonly string[];
    readonly rewards: readonly number[];
  }
  const file = new URL("../../../fixtures/game24/cot-gpt4-100samples.json.gz", import.meta.url);
  const puzzles = JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")) as readonly Puzzle[];

  it("agrees with all 10,000 published rewards of the Game of 24", () => {
    const differing: string[] = [];
    let [count, solved] = [0, 0];
    for (const { puzzle, samples, rewards } of puzzles) {
      for (const [index, text] of samples.entries()) {
        const reward = check({ text }, { equals: 24, uses: puzzle }).issues.length === 0 ? 1 : 0;
        if (reward !== rewards[index]) differing.push(text);
        count += 1;
        solved += reward;
      }
    }
    expect(differing).toStrictEqual([]);
    expect([count, solved]).toStrictEqual([10_000, 403]);
  });

  it.each([
    ["Answer: (10 - 4) * 5 - 6 = 24", []],
    ["10 - 4 = 6\n\nanswer: (10 - 4) × 5 − 6\n\n", []],
    [
      "Answer: (10 - 4) * 5 = 30",
      ['"(10 - 4) * 5" uses 10, 4, 5; it must use exactly 4, 5, 6, 10.'],
    ],
    ["Answer: (10 - 4) * 5 + 6 = 24", ['"(10 - 4) * 5 + 6" is 36, not 24.']],
    ["Answer: 10 4 5 6", ['"10 4 5 6" on the last line is no expression that can be computed.']],
    [
      "Answer: 10 / (4 - 4) + 5 + 6",
      ['"10 / (4 - 4) + 5 + 6" uses 10, 4, 4, 5, 6; it must use exactly 4, 5, 6, 10.'],
    ],
    ["", ['"" uses no number; it must use exactly 4, 5, 6, 10.']],
  ])("judges %j", (text, details) => {
    expect(detailsOf(text, { equals: "24", uses: [4, 5, 6, 10] })).toStrictEqual(details);
  });

  it("computes exactly, within a tolerance where one is given", () => {
    expect(detailsOf("8 / (3 - 8 / 3)", { equals: 24, uses: "3 3 8 8" })).toStrictEqual([]);
    expect(detailsOf("10 / 3", { equals: 3.33 })).toHaveLength(1);
    expect(detailsOf("10 / 3", { equals: 3.33, tolerance: 0.01 })).toStrictEqual([]);
    expect(() => detailsOf("1", { equals: "many" })).toThrow(/no number/);
  });

  it("asks nothing of an answer that says there is none", () => {
    expect(
      check({ text: "no way", solvable: false }, { equals: 24, uses: "1 1 1 1" }).issues,
    ).toStrictEqual([]);
  });
});
