import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { jsonrepair } from "jsonrepair";
import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../contracts/json.ts";
import { defaultParseLimits } from "./parse-limits.ts";
import { parseStructured, parseWithin } from "./parse-structured.ts";
import { StepBudget } from "./step-budget.ts";

/** The value that a general repairer gives, which closes what was cut and picks a reading. */
function guessOf(text: string, schema: JsonSchema | undefined): boolean {
  try {
    return parseStructured(jsonrepair(text), schema === undefined ? {} : { schema }).ok;
  } catch {
    return false;
  }
}

interface Repeated {
  readonly repeat: string;
  readonly times: number;
  readonly sep: string;
}

interface Line {
  readonly id: string;
  readonly kind: string;
  readonly input?: string;
  readonly inputParts?: readonly (string | Repeated)[];
  readonly schema?: JsonSchema;
  readonly expected?: Json;
  readonly expectedParts?: readonly (string | Repeated)[];
  readonly expectError?: true;
  readonly finishReason?: string;
  readonly maxMs?: number;
}

function linesOf(file: string): readonly Line[] {
  const url = new URL(`../../../../fixtures/malformed/${file}`, import.meta.url);
  const lines = readFileSync(url, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Line);
}

function expanded(parts: readonly (string | Repeated)[]): string {
  return parts
    .map((part) =>
      typeof part === "string"
        ? part
        : Array.from({ length: part.times }, () => part.repeat).join(part.sep),
    )
    .join("");
}

type Mark = "right" | "wrong" | "nothing" | "caught" | "false value" | "slow";

/** What one line gives; slow is twenty times what it may take, which no busy machine explains. */
function markOf(line: Line): Mark {
  const text = line.inputParts === undefined ? (line.input ?? "") : expanded(line.inputParts);
  const { schema, finishReason, maxMs = Number.POSITIVE_INFINITY } = line;
  const started = performance.now();
  const read = parseStructured(text, {
    ...(schema === undefined ? {} : { schema }),
    ...(finishReason === undefined ? {} : { finishReason }),
  });
  if (performance.now() - started > 20 * maxMs) return "slow";
  if (line.expectError) return read.ok ? "false value" : "caught";
  if (!read.ok) return "nothing";
  const wanted =
    line.expectedParts === undefined
      ? line.expected
      : (JSON.parse(expanded(line.expectedParts)) as Json);
  return isDeepStrictEqual(read.value, wanted) ? "right" : "wrong";
}

/** The kinds with a line that did not do what it should, with the ids. */
function tableOf(marks: ReadonlyMap<Line, Mark>): string {
  const rows = [...marks].filter(([, mark]) => mark !== "right" && mark !== "caught");
  return rows.map(([line, mark]) => `${line.kind} | ${mark} | ${line.id}`).join("\n");
}

describe.each([
  ["the published shapes", "json.jsonl", 197, 88],
  ["further instances of the same kinds", "own-json.jsonl", 405, 206],
])("a malformed reply: %s", (_name, file, values, errors) => {
  it("gives the right value or an error, and never another value", { timeout: 120_000 }, () => {
    const lines = linesOf(file);
    expect(lines.filter((line) => line.expectError)).toHaveLength(errors);
    expect(lines).toHaveLength(values + errors);
    const marks = new Map(lines.map((line) => [line, markOf(line)]));
    expect(tableOf(marks)).toBe("");
  });
});

it("a malformed reply that is an error is one for its text, not for want of a repairer", () => {
  const lines = [...linesOf("json.jsonl"), ...linesOf("own-json.jsonl")];
  const plain = lines.filter(
    ({ input, finishReason }) => input !== undefined && finishReason === undefined,
  );
  const guessed = plain.filter(
    ({ input = "", schema: wanted }) =>
      !parseStructured(input, wanted === undefined ? {} : { schema: wanted }).ok &&
      guessOf(input, wanted),
  );
  expect(guessed.length).toBeGreaterThan(10);
  expect(guessed.filter(({ expectError }) => expectError !== true)).toEqual([]);
});

const isSafeKey = (key: string): boolean => key !== "__proto__" && key !== "constructor";
const key = fc.string({ unit: "grapheme", maxLength: 8 }).filter(isSafeKey);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean()),
    fc.oneof(fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const container = value
  .filter((each) => typeof each === "object" && each !== null)
  .map((each) => JSON.parse(JSON.stringify(each)) as Json);

describe("a reply that is JSON", () => {
  it("gives its value, and nothing was mended", () => {
    fc.assert(
      fc.property(container, fc.constantFrom(0, 2), (wanted, indent) => {
        const text = JSON.stringify(wanted, null, indent);
        expect(parseStructured(text)).toEqual({ ok: true, value: wanted, repairs: [] });
      }),
      { numRuns: 500 },
    );
  });

  it("may be a bare value where the schema takes any", () => {
    fc.assert(
      fc.property(value, (any) => {
        const wanted = JSON.parse(JSON.stringify(any)) as Json;
        expect(parseStructured(JSON.stringify(any), { schema: {} })).toEqual({
          ok: true,
          value: wanted,
          repairs: [],
        });
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', "duplicate-key"],
    ['{"a":{"__proto__":null}}', "forbidden-key"],
    ["[".repeat(257) + "]".repeat(257), "too-deep"],
    [" ".repeat(4_000_001), "too-large"],
  ])("is refused where it is not safe: %.20s", (text, code) => {
    expect(parseStructured(text)).toMatchObject({ ok: false, code });
  });
});

const strings = (change: (quoted: string) => string) => (text: string) =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"/g, change);
const unescaped = (marks: Readonly<Record<string, string>>) => (quoted: string) =>
  quoted.replaceAll(/\\(.)/g, (escape, mark: string) => marks[mark] ?? escape);
/** Changes what stands outside of strings. */
const outside = (pattern: RegExp, change: string) => (text: string) =>
  text.replaceAll(new RegExp(`("(?:[^"\\\\]|\\\\.)*")|${pattern.source}`, "g"), (whole, quoted) =>
    quoted === undefined ? whole.replace(pattern, change) : whole,
  );

const DAMAGES: Readonly<Record<string, (text: string) => string>> = {
  fence: (text) => `\`\`\`json\n${text}\n\`\`\``,
  prose: (text) => `Here it is:\n${text}\nThat's all, don't ask.`,
  thinking: (text) => `<think>maybe {"a": 1}?</think>${text}`,
  wrapper: (text) => `<tool_call>\n${text}\n</tool_call>`,
  twice: (text) => `${text}\n${text}`,
  bom: (text) => `\uFEFF${text}\u200B`,
  commas: outside(/[\]}]/, ",$&"),
  comments: outside(/,/, ", /* next */"),
  lineComments: outside(/,/, ", // next\n"),
  python: (text) =>
    outside(/true/, "True")(outside(/false/, "False")(outside(/null/, "None")(text))),
  fullWidth: outside(/,/, "，"),
  spaces: outside(/:/, "\u00A0:\u3000"),
  closer: (text) => text.slice(0, -1),
  stray: (text) => `${text}}`,
  raw: strings(unescaped({ n: "\n", t: "\t" })),
};

/** Other quotation marks: one of them at most, and after the others, which find strings by their marks. */
const MARKS: Readonly<Record<string, (text: string) => string>> = {
  none: (text) => text,
  single: strings((quoted) => {
    const inner = (JSON.parse(quoted) as string).replaceAll("\\", "\\\\").replaceAll("'", "\\'");
    return `'${inner.replaceAll("\n", "\\n")}'`;
  }),
  quotes: strings(unescaped({ '"': '"' })),
  curly: strings((quoted) => `“${quoted.slice(1, -1)}”`),
};

describe("a damaged reply", () => {
  it("gives the value back or is an error, and is never another value", {
    timeout: 120_000,
  }, () => {
    const damages = fc.shuffledSubarray(Object.keys(DAMAGES), { minLength: 1, maxLength: 3 });
    const marks = fc.constantFrom(...Object.keys(MARKS));
    fc.assert(
      fc.property(container, damages, marks, (wanted, names, mark) => {
        const changes = [...names.map((name) => DAMAGES[name]), MARKS[mark]];
        const text = changes.reduce(
          (damaged, change) => change?.(damaged) ?? damaged,
          JSON.stringify(wanted),
        );
        const read = parseStructured(text);
        expect(read.ok ? read.value : wanted).toEqual(wanted);
      }),
      { numRuns: 3_000, seed: 4 },
    );
  });
});

/** A text of the characters that matter to a reader of JSON. */
const noise = fc.string({
  unit: fc.constantFrom(
    ...Array.from("{}[]()\"'`,:\\/#*<>\n\t aé1.-+e“”，：｛\uFEFF\u200B"),
    "<think>",
    "</think>",
    "```",
    "true",
    "None",
    "__proto__",
    "constructor",
  ),
  maxLength: 60,
});
const schema: JsonSchema = {
  type: "object",
  properties: {
    a: { type: "integer" },
    b: { type: "array", items: { type: "string" } },
    c: { type: ["boolean", "null"] },
    d: { enum: ["red", "dark blue"] },
    e: { anyOf: [{ type: "number" }, { type: "object", properties: { a: { type: "string" } } }] },
  },
};
const member = fc.constantFrom("a", "b", "c", "d", "e");
const loose = fc.oneof(
  fc.constantFrom(
    "1",
    "1,234",
    "x",
    "x, y",
    "true",
    "null",
    "RED",
    "Dark-Blue",
    '["x"]',
    '{"a":1}',
    "1.50",
  ),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom("x", "2"), { maxLength: 2 }),
);

describe("a reply that was cut", () => {
  it("is an error where the model was stopped, even where it parses", () => {
    fc.assert(
      fc.property(container, fc.nat(), (wanted, at) => {
        const text = JSON.stringify(wanted);
        const cut = text.slice(0, at % (text.length + 1));
        expect(parseStructured(cut, { finishReason: "length" })).toMatchObject({
          ok: false,
          code: "truncated",
        });
      }),
    );
  });

  it("is an error, or the value that closing its brackets gives", () => {
    fc.assert(
      fc.property(container, fc.nat(), (wanted, at) => {
        const text = JSON.stringify(wanted);
        const cut = text.slice(0, at % text.length);
        const read = parseStructured(cut, { finishReason: "stop" });
        const closed = read.ok ? `${cut}${missingClosers(cut)}` : "null";
        expect(read.ok ? read.value : null).toEqual(JSON.parse(closed));
      }),
      { numRuns: 1_000 },
    );
  });
});

function missingClosers(text: string): string {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === "{" || token === "[") open.push(token === "{" ? "}" : "]");
    else if (token === "}" || token === "]") open.pop();
  }
  return open.toReversed().join("");
}

describe("any text at all", () => {
  it("gives a value or a failure, changes no prototype, and reads its own value again", {
    timeout: 60_000,
  }, () => {
    const before = Object.getOwnPropertyNames(Object.prototype).length;
    fc.assert(
      fc.property(noise, fc.constantFrom(undefined, schema, {}), (text, wanted) => {
        const options = wanted === undefined ? {} : { schema: wanted };
        const read = parseStructured(text, options);
        const again = read.ok ? parseStructured(JSON.stringify(read.value), options) : undefined;
        expect(again).toEqual(read.ok ? { ok: true, value: read.value, repairs: [] } : undefined);
      }),
      { numRuns: 5_000 },
    );
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(before);
  });

  it("is read in bounded work up to 100 kB", { timeout: 120_000 }, () => {
    const long = fc
      .tuple(noise, fc.constantFrom(10, 1_000, 1_700))
      .map(([text, times]) => text.repeat(times));
    const most = 2_000_000;
    fc.assert(
      fc.property(long, (text) => {
        const budget = new StepBudget(most);
        parseWithin(text, {}, defaultParseLimits, budget);
        expect(budget.spent).toBeLessThan(most + 2 * text.length);
      }),
      { numRuns: 200 },
    );
  });

  it("fits the schema once it is read, and is not changed by a second reading", () => {
    fc.assert(
      fc.property(fc.dictionary(member, loose), (given) => {
        const read = parseStructured(JSON.stringify(given), { schema });
        const again = read.ok ? parseStructured(JSON.stringify(read.value), { schema }) : undefined;
        expect(again).toEqual(read.ok ? { ok: true, value: read.value, repairs: [] } : undefined);
      }),
      { numRuns: 1_000 },
    );
  });
});

const UNITS: readonly (readonly [string, string])[] = [
  ["quotation marks", '"'],
  ["quotation marks in a string", 'b"c '],
  ["single quotes", "'"],
  ["curly quotes", "“a”"],
  ["backslashes", "\\"],
  ["open braces", "{ "],
  ["open brackets", "["],
  ["lists", "[1] "],
  ["open thinking", "<think>"],
  ["closed thinking", "<think></think>"],
  ["closing thinking", "</think>"],
  ["commas", ","],
  ["keys", '{"a":'],
  ["broken objects", '{"a": oops( '],
  ["comments", "/*"],
  ["line comments", "//\n"],
  ["fences", "```\n"],
  ["lines of keys", "a: b\n"],
  ["blanks", " "],
  ["empty lines", "\n"],
  ["invisible characters", "\u200b "],
  ["open comments of pages", "<!--"],
  ["words", "word "],
  ["calls", "f(a=1)\n"],
  ["parameters", "<function=f><parameter=a>"],
];

describe("a megabyte", () => {
  const before = Object.getOwnPropertyNames(Object.prototype).length;

  it.each(UNITS)("is read within its limits: %s", (_name, unit) => {
    for (const [start, end] of [
      ["", ""],
      ['{"a":"', '"}'],
    ] as const) {
      const text = `${start}${unit.repeat(Math.floor(1_000_000 / unit.length))}${end}`;
      const budget = new StepBudget(defaultParseLimits.maxSteps);
      const read = parseWithin(text, { schema }, defaultParseLimits, budget);
      expect(typeof read.ok).toBe("boolean");
      expect(budget.spent).toBeLessThan(40 * text.length);
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(before);
  });
});

describe("twice the text", () => {
  it.each(UNITS)("takes twice the work: %s", (_name, unit) => {
    for (const [before, after] of [
      ["", ""],
      ['{"a":"', '"}'],
      ["[", "]"],
      ["x ", " x"],
    ]) {
      const work = [1, 2, 4].map((times) => {
        const budget = new StepBudget(Number.POSITIVE_INFINITY);
        const text = `${before}${unit.repeat(2_000 * times)}${after}`;
        parseWithin(text, { schema }, defaultParseLimits, budget);
        return budget.spent;
      });
      const [one = 0, two = 0, four = 0] = work;
      expect(two, `${before}…${after}`).toBeLessThan(2.5 * one + 1_000);
      expect(four, `${before}…${after}`).toBeLessThan(2.5 * two + 1_000);
    }
  });
});
