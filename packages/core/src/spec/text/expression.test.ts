import { describe, expect, it } from "vitest";
import {
  compileExpression,
  ExpressionError,
  type CompiledExpression,
  type ExpressionResult,
} from "./expression.ts";
import type { ObjectShape, Shape } from "./shape.ts";

const text: Shape = { kind: "text" };
const number: Shape = { kind: "number" };
const boolean: Shape = { kind: "boolean" };
const shape: ObjectShape = {
  kind: "object",
  fields: {
    task: { kind: "object", fields: { text } },
    inputs: {
      kind: "object",
      fields: {
        n: number,
        budget: number,
        name: text,
        tags: { kind: "list", of: text },
        free: { kind: "any" },
      },
    },
    plan: {
      kind: "object",
      fields: {
        hasConflicts: boolean,
        steps: {
          kind: "list",
          of: {
            kind: "object",
            fields: { id: text, status: { kind: "enum", values: ["pending", "done"] } },
          },
        },
      },
    },
    verdict: {
      kind: "object",
      fields: {
        outcome: { kind: "enum", values: ["none", "pass", "revise", "fail", "stale"] },
        passed: boolean,
        revised: boolean,
      },
    },
    answer: {
      kind: "object",
      fields: {
        text,
        value: {
          kind: "object",
          fields: { total: number, product: { kind: "text", nullable: true } },
        },
        score: { kind: "number", nullable: true },
      },
    },
    results: {
      kind: "object",
      fields: {
        ask: { kind: "object", fields: { answered: boolean } },
        "plan-again": { kind: "object", fields: { ran: boolean } },
      },
    },
  },
};
const view = {
  task: { text: "Plan it" },
  inputs: { n: 7, budget: 100.5, name: "Ann", tags: ["a", "b"], free: { x: [1, "y"] } },
  plan: {
    hasConflicts: false,
    steps: [
      { id: "s1", status: "done" },
      { id: "s2", status: "pending" },
    ],
  },
  verdict: { outcome: "pass", passed: true, revised: false },
  answer: { text: "", value: { total: 100, product: null }, score: null },
  results: { ask: { answered: false }, "plan-again": { ran: true } },
};

function evaluate(source: string): unknown {
  const compiled = compileExpression(source, shape, "any");
  if (!compiled.ok) throw new Error(`${compiled.message} (${compiled.suggestion ?? ""})`);
  return compiled.expression.evaluate(view);
}

function refuse(
  source: string,
  expected: ExpressionResult = "any",
): Extract<CompiledExpression, { ok: false }> {
  const compiled = compileExpression(source, shape, expected);
  if (compiled.ok) throw new Error(`${source} was taken`);
  return compiled;
}

describe("one kind of number", () => {
  const numbers: readonly (readonly [string, number])[] = [
    ["2", 2],
    ["2.5", 2.5],
    ["inputs.n", 7],
    ["inputs.budget", 100.5],
    ["size(inputs.tags)", 2],
    ["inputs.name.indexOf('n')", 1],
    ["int('3')", 3],
    ["round(2.44, 1)", 2.4],
    ["(-3)", -3],
    ["inputs.free.x[0]", 1],
  ];
  const operators: readonly (readonly [string, (a: number, b: number) => unknown])[] = [
    ["+", (a, b) => a + b],
    ["-", (a, b) => a - b],
    ["*", (a, b) => a * b],
    ["/", (a, b) => a / b],
    ["%", (a, b) => a % b || 0],
    ["<", (a, b) => a < b],
    ["<=", (a, b) => a <= b],
    [">", (a, b) => a > b],
    [">=", (a, b) => a >= b],
    ["==", (a, b) => a === b],
    ["!=", (a, b) => a !== b],
  ];
  const pairs = numbers.flatMap(([a, x]) =>
    numbers.flatMap(([b, y]) =>
      operators.map(([op, run]) => ({ source: `${a} ${op} ${b}`, result: run(x, y) })),
    ),
  );

  it("takes every operator between every two ways to write a number", () => {
    for (const { source, result } of pairs)
      expect([source, evaluate(source)]).toEqual([source, result]);
  });

  it("finds every number in lists of every other", () => {
    for (const [a, x] of numbers) {
      for (const [b, y] of numbers) expect(evaluate(`${a} in [${b}, 1000]`)).toBe(x === y);
    }
  });

  it.each<[string, unknown]>([
    ["inputs.n + 1", 8],
    ["1 + 0.5", 1.5],
    ["7 / 2", 3.5],
    ["answer.value.total <= inputs.budget", true],
    ["inputs.n == 7", true],
    ["[1, 2.5, inputs.n]", [1, 2.5, 7]],
    ["{'a': 1}", { a: 1 }],
    ["1e3 + 1", 1001],
    ["0 * -1", 0],
    ["round(1.005, 2)", 1.01],
    ["round(2.5)", 3],
    ["round(-1.25, 1)", -1.3],
    ["round(1234567890123.456, 1)", 1234567890123.5],
    ["floor(-1.5)", -2],
    ["ceil(1.2)", 2],
    ["abs(-3)", 3],
    ["min(1, 2.5)", 1],
    ["max(inputs.n, size(inputs.tags))", 7],
    ["string(inputs.n)", "7"],
    ["string(2.5) + 'x'", "2.5x"],
  ])("%s", (source, result) => {
    expect(evaluate(source)).toEqual(result);
  });
});

describe("what expressions say", () => {
  it.each<[string, unknown]>([
    ["verdict.passed && !verdict.revised", true],
    ["verdict.outcome == 'pass'", true],
    ["verdict.outcome in ['pass', 'revise']", true],
    ["answer.value.product == null || task.text.contains(answer.value.product)", true],
    ["answer.score != null && answer.score > 3", false],
    ["plan.steps.exists(s, s.status == 'pending')", true],
    ["plan.steps.filter(s, s.status == 'done').map(s, s.id)", ["s1"]],
    ["plan.steps.map(s, s.status == 'done', s.id)", ["s1"]],
    ["plan.steps.all(s, size(s.id) == 2)", true],
    ["plan.steps[0].id + plan.steps[size(plan.steps) - 1].id", "s1s2"],
    ['results["plan-again"].ran', true],
    ["inputs.tags.join(', ')", "a, b"],
    ["inputs.name.lowerAscii().startsWith('an')", true],
    ["inputs.name.substring(1, 2)", "n"],
    ["inputs.name.matches('^A[a-z]+$')", true],
    ["inputs.name.matches(r'^\\p{Lu}\\p{L}+$')", true],
    ["inputs.n > 5 ? 'many' : 'few'", "many"],
    ["inputs.n > 5 ? 'many' : 0", "many"],
    ["has(answer.score)", true],
    ["'a' in inputs.tags", true],
    ["'x' in inputs.free", true],
    ["'it\\'s \"q\"\\n' == 'it\\'s \"q\"\\n'", true],
    ["'汉字' + '😀'", "汉字😀"],
    ["inputs.tags == ['a', 'b']", true],
    ["inputs.tags + ['c']", ["a", "b", "c"]],
    ["answer.value", { total: 100, product: null }],
    ["'toString' in inputs.free", false],
  ])("%s", (source, result) => {
    expect(evaluate(source)).toEqual(result);
  });

  it("lists the state paths that it reads", () => {
    const compiled = compileExpression(
      "verdict.passed && results['plan-again'].ran && plan.steps.exists(s, s.id == inputs.name) && plan.steps[0].id != ''",
      shape,
      "bool",
    );
    expect(compiled.ok && compiled.expression.paths).toEqual([
      "verdict.passed",
      "results.plan-again.ran",
      "plan.steps",
      "inputs.name",
    ]);
  });

  it("keeps operators apart when it writes the expression anew", () => {
    expect(evaluate("(1 + 2) * 3 - 4 / (1 + 1)")).toBe(7);
    expect(evaluate("!(verdict.passed && verdict.revised) || false")).toBe(true);
    expect(evaluate("-(1 - 3)")).toBe(2);
  });
});

describe("mistakes found before a run", () => {
  it.each<[string, RegExp, string | undefined]>([
    [
      "verdict.outcome == 'passed'",
      /one of none, pass, .* never 'passed'; this is never true/,
      "did you mean 'pass'?",
    ],
    ["'Fail' == verdict.outcome", /never 'Fail'/, "did you mean 'fail'?"],
    ["verdict.outcome != 'passes'", /always true/, "did you mean 'pass'?"],
    ["verdict.outcome in ['pass', 'revised']", /never 'revised'/, "did you mean 'revise'?"],
    ["plan.steps.exists(s, s.status == 'finished')", /one of pending, done/, undefined],
    ["verdict.outcom == 'pass'", /`verdict` has no `outcom`/, "did you mean `outcome`?"],
    ["veridct.passed", /nothing here is called `veridct`/, "did you mean `verdict`?"],
    ["inputs.n == '7'", /is compared with/, "a number is written without quotes: 7"],
    ["verdict.passed == 'true'", /is compared with/, "a boolean is written without quotes: true"],
    ["inputs.name == 7", /is compared with/, "a text is written in single quotes: '7'"],
    [
      "inputs.name + inputs.n",
      /does not work between text and a number/,
      "turn the number into text with string(…)",
    ],
    [
      "results.plan-again.ran",
      /`results` has no `plan`/,
      'an id with a dash goes into brackets: results["plan-again"]',
    ],
    [
      "inputs.tags.a",
      /is a list and has no `a`/,
      "use an index, size(inputs.tags) or .exists(x, …)",
    ],
    ["task.text == null", /never null; this is never true/, undefined],
    [
      "'a' in task.text",
      /must be a list or a map/,
      "a part of a text is found by task.text.contains('a')",
    ],
    ["inputs.n in inputs.tags", /never be in this list/, undefined],
    ["inputs.name.startWith('A')", /no method `startWith`/, "did you mean `startsWith`?"],
    ["len(inputs.tags)", /no function `len`/, undefined],
    ["size(1, 2)", /takes 1 argument, not 2/, undefined],
    ["verdict.passed and true", /`and` is no operator/, "write `&&`"],
    ["not verdict.passed", /`not` is no operator/, "write `!`"],
    ["inputs.n = 7", /`=` compares nothing/, "write `==`"],
    ["inputs.n +", /malformed/, undefined],
    ["", /empty/, undefined],
    ["inputs.name.matches('(a+)+$')", /unbounded time/, undefined],
    ["inputs.name.matches('[')", /malformed/, undefined],
    ["inputs.name.matches(task.text)", /written out/, undefined],
    ["cel.bind(x, 1, x)", /nothing here is called `cel`/, undefined],
    ["b'x' == b'x'", /text, numbers/, undefined],
    [
      "plan.steps.map(a, plan.steps.map(b, plan.steps.map(c, plan.steps.map(d, d))))",
      /nested deeper than 3/,
      undefined,
    ],
    ["1 < 'a'", /compared/, undefined],
    [
      "[1, 2].join(',')",
      /needs a list of texts/,
      "turn the items into text with .map(x, string(x))",
    ],
    [
      "inputs.free - verdict.passed",
      /between a value of unknown type and true or false/,
      undefined,
    ],
    ["verdict.__proto__", /has no `__proto__`/, undefined],
    ["verdict.constructor", /has no `constructor`/, undefined],
  ])("%s", (source, message, suggestion) => {
    const refused = refuse(source);
    expect(refused.message).toMatch(message);
    expect(refused.suggestion).toBe(suggestion ?? refused.suggestion);
  });

  it("marks what can never be true", () => {
    expect(refuse("verdict.outcome == 'passed'")).toMatchObject({
      code: "LW-EXPR-NEVER-TRUE",
      offset: 19,
    });
    expect(refuse("inputs.n == 'x'").code).toBe("LW-EXPR-NEVER-TRUE");
  });

  it.each([
    ["veridct.passed", "LW-EXPR-UNKNOWN"],
    ["verdict.outcom", "LW-EXPR-UNKNOWN"],
    ["inputs.n +", "LW-EXPR-SYNTAX"],
    ["", "LW-EXPR-SYNTAX"],
    ["inputs.n.?x", "LW-EXPR-SYNTAX"],
    ["inputs.n + 'a'", "LW-EXPR-TYPE"],
    ["inputs.free - verdict.passed", "LW-EXPR-TYPE"],
    ["inputs.n / 0 > 1", "LW-EXPR-TYPE"],
    ["inputs.n % 0.0 == 1", "LW-EXPR-TYPE"],
    ["inputs.name.matches('(a+)+$')", "LW-VALUE-PATTERN"],
  ])("tells %s by its kind", (source, code) => {
    expect(refuse(source).code).toBe(code);
  });

  it("demands a list where one is repeated over", () => {
    expect(refuse("task.text", "list")).toMatchObject({
      code: "LW-EXPR-TYPE",
      message: "the expression must be a list, but is text",
    });
    const compiled = compileExpression("plan.steps", shape, "list");
    expect(compiled).toMatchObject({ ok: true, expression: { shape: { kind: "list" } } });
    const free = compileExpression("inputs.free", shape, "list");
    expect(() => free.ok && free.expression.evaluate({ inputs: { free: 1 } })).toThrow(/no list/);
  });

  it("tells every place where it reads the state", () => {
    const source = "verdict.passed && size(plan.steps) > 1 && !verdict.passed";
    const compiled = compileExpression(source, shape, "bool");
    if (!compiled.ok) throw new Error(compiled.message);
    const { places, paths } = compiled.expression;
    expect(paths).toEqual(["verdict.passed", "plan.steps"]);
    expect(places.map(({ start, end }) => source.slice(start, end))).toEqual([
      "verdict.passed",
      "plan.steps",
      "verdict.passed",
    ]);
  });

  it("matches no text that is too long for its pattern", () => {
    const source = "task.text.matches('[a-z]+[0-9]')";
    const compiled = compileExpression(source, shape, "bool");
    if (!compiled.ok) throw new Error(compiled.message);
    const matches = (said: string): unknown =>
      compiled.expression.evaluate({ task: { text: said } });
    expect(matches("a1")).toBe(true);
    expect(() => matches("a".repeat(200_000))).toThrow(
      /at most 10000 characters with this pattern, and the text has 200000/,
    );
  });

  it("ends where repetitions inside repetitions would go on too long", () => {
    const list = Array.from({ length: 300 }, (_value, index) => index);
    const source = "inputs.free.all(a, inputs.free.all(b, inputs.free.all(c, a + b + c >= 0)))";
    const compiled = compileExpression(source, shape, "bool");
    if (!compiled.ok) throw new Error(compiled.message);
    const { expression } = compiled;
    expect(() => expression.evaluate({ inputs: { free: list } })).toThrow(/repeats more than/);
    expect(expression.evaluate({ inputs: { free: list.slice(0, 90) } })).toBe(true);
  });

  it("demands true or false where a condition stands", () => {
    expect(refuse("task.text", "bool")).toMatchObject({
      message: "the expression must be true or false, but is text",
      suggestion: "compare it, like task.text != ''",
    });
    expect(refuse("verdict.outcome", "bool").suggestion).toBe(
      "compare it, like verdict.outcome == 'none'",
    );
    expect(refuse("inputs.tags && true").message).toMatch(/left side of `&&`/);
  });

  it.each([
    ["many characters", `'${"x".repeat(2_000)}' == ''`],
    ["many nodes", Array(400).fill("true").join("&&")],
    ["many brackets", `${"(".repeat(900)}1${")".repeat(900)}`],
    ["many signs", `${"!".repeat(1_990)}true`],
    ["many list items", `[${Array(200).fill("1").join(",")}]`],
  ])("caps %s", (_name, source) => {
    expect(refuse(source).message).toMatch(/too large|at most/);
  });
});

describe("faults of a run", () => {
  it.each<[string, RegExp]>([
    ["1 / (inputs.n - 7) > 0", /division by zero/],
    ["inputs.n % (inputs.n - 7) == 1", /division by zero/],
    ["inputs.free.nothing == 1", /`nothing` is missing/],
    ["inputs.tags[9]", /index out of bounds/],
    ["answer.score > 3", /`>` does not work between null and number/],
    ["answer.score - 3", /`-` does not work between null and number/],
    ["task.text.contains(answer.value.product)", /`contains` does not work with text and null/],
    ["inputs.free.x[1] > 3", /`>` does not work between text and number/],
    ["inputs.free + 3", /`\+` does not work between map and number/],
    ["string(inputs.free)", /`string` does not work with map/],
    ["double('x')", /cannot convert/],
  ])("%s", (source, message) => {
    expect(() => evaluate(source)).toThrow(ExpressionError);
    expect(() => evaluate(source)).toThrow(message);
  });

  it("refuses a condition that is no boolean only at run time", () => {
    const compiled = compileExpression("inputs.free.x", shape, "bool");
    expect(() => compiled.ok && compiled.expression.evaluate(view)).toThrow(/no boolean/);
  });

  it("never reads inherited properties", () => {
    expect(() => evaluate("inputs.free.constructor")).toThrow(/missing/);
    expect(() => evaluate("inputs.free.x.toString")).toThrow(ExpressionError);
  });
});
