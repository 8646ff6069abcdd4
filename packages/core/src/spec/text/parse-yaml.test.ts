import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Diagnostics } from "./diagnostic.ts";
import { parseYaml } from "./parse-yaml.ts";
import { sourceFromText } from "./read-source.ts";
import { toJson, type SpecNode } from "./spec-node.ts";

function parse(text: string): {
  node: SpecNode | undefined;
  diagnostics: Diagnostics;
  found: string[];
} {
  const diagnostics = new Diagnostics();
  const node = parseYaml(sourceFromText(text, "a.yaml"), diagnostics);
  return {
    node,
    diagnostics,
    found: diagnostics.items.map((item) => `${item.code} ${item.line}:${item.column}`),
  };
}

function data(text: string): unknown {
  const { node, diagnostics } = parse(text);
  expect(diagnostics.items).toEqual([]);
  return node === undefined ? undefined : toJson(node);
}

describe("what a spec takes", () => {
  it.each<[string, string, unknown]>([
    [
      "plain values",
      "a: text\nb: 1\nc: 1.5\nd: true\ne: [x, 2]",
      { a: "text", b: 1, c: 1.5, d: true, e: ["x", 2] },
    ],
    ["yes, no and on as text", "a: yes\nb: no\nc: on", { a: "yes", b: "no", c: "on" }],
    ["dates as text", "a: 2026-11-30", { a: "2026-11-30" }],
    ["times as text", "a: 12:30", { a: "12:30" }],
    [
      "JSON with tabs and escapes",
      '{"a":\t"\\ud83d\\ude00\\/",\n\t"b":[1,true]}',
      { a: "😀/", b: [1, true] },
    ],
    ["aliases", "a: &x { b: 1 }\nc: *x", { a: { b: 1 }, c: { b: 1 } }],
    ["CRLF", "a: 1\r\nb: |\r\n  x\r\n  y\r\n", { a: 1, b: "x\ny\n" }],
    ["a byte-order mark", "\ufeffa: 1", { a: 1 }],
    ["the directive of YAML 1.2", "%YAML 1.2\n---\na: 1\n...\n", { a: 1 }],
    [
      "substitutions outside of braces",
      "a: runs/${run:id}.jsonl\nb:\n  - ${env:X}",
      { a: "runs/${run:id}.jsonl", b: ["${env:X}"] },
    ],
    ["templates inside text", "a: Plan {{ inputs.city }} now", { a: "Plan {{ inputs.city }} now" }],
    [
      "ideographic spaces in a block text",
      "a: |\n  \u3000\u3000\u4f60\u597d\n",
      { a: "\u3000\u3000\u4f60\u597d\n" },
    ],
    ["balanced parentheses in lists", "a: [f(x), g(y)]", { a: ["f(x)", "g(y)"] }],
    ["smileys in lists", "a: [good :), bad :(]", { a: ["good :)", "bad :("] }],
    ["empty containers", "a: {}\nb: []\nc: ''", { a: {}, b: [], c: "" }],
    ["number keys as text", "1: a", { "1": "a" }],
    ["constructor as an ordinary key", "constructor: a", { constructor: "a" }],
  ])("takes %s", (_name, text, expected) => {
    expect(data(text)).toEqual(expected);
  });

  it("keeps the source text of numbers", () => {
    const { node } = parse("a: 1.10\nb: 007");
    const texts =
      node?.kind === "map"
        ? [...node.entries.values()].map(({ value }) =>
            value.kind === "scalar" ? [value.text, value.value] : [],
          )
        : [];
    expect(texts).toEqual([
      ["1.10", 1.1],
      ["007", 7],
    ]);
  });

  it("gives every node its path and place", () => {
    const { node } = parse(
      "strategy:\n  - verify: { maxRounds: 2 }\ntools:\n  orders/query: { a.b: 1 }\n",
    );
    const places: string[] = [];
    const walk = (at: SpecNode): void => {
      places.push(
        `${at.path}@${at.line}:${at.column}${at.endColumn === undefined ? "" : `-${at.endColumn}`}`,
      );
      if (at.kind === "list") at.items.forEach(walk);
      if (at.kind === "map") for (const { value } of at.entries.values()) walk(value);
    };
    if (node !== undefined) walk(node);
    expect(places).toEqual([
      "@1:1",
      "strategy@2:3",
      "strategy[0]@2:5",
      "strategy[0].verify@2:13-29",
      "strategy[0].verify.maxRounds@2:26-27",
      "tools@4:3",
      "tools.orders/query@4:17-27",
      'tools.orders/query["a.b"]@4:24-25',
    ]);
  });
});

describe("what a spec refuses", () => {
  it.each<[string, string, string]>([
    ["an empty file", "", "LW-FILE-EMPTY 1:1"],
    ["a file of comments", "# nothing\n", "LW-FILE-EMPTY 1:1"],
    ["a key without a value", "a:\nb: 1", "LW-YAML-NULL 1:1"],
    ["null", "a: null", "LW-YAML-NULL 1:1"],
    ["a tilde", "b: 1\na: ~", "LW-YAML-NULL 2:1"],
    ["an empty list item", "a:\n  - 1\n  -\n", "LW-YAML-NULL 3:4"],
    ["an options map two spaces short", "- react:\n  maxSteps: 6", "LW-YAML-NULL 1:3"],
    ["a condition that starts with !", "- a:\n    when: !verdict.passed", "LW-YAML-TAG 2:11"],
    ["a condition that starts with ! in braces", "a: { when: !x.y, b: 1 }", "LW-YAML-TAG 1:12"],
    ["a tag", "a: !!str 5", "LW-YAML-TAG 1:4"],
    ["a merge key", "a: { <<: { b: 1 } }", "LW-YAML-MERGE-KEY 1:6"],
    ["a duplicate key", "a: 1\nb: 2\na: 3", "LW-YAML-DUPLICATE-KEY 3:1"],
    ["two documents", "a: 1\n---\nb: 2", "LW-YAML-DOCUMENTS 2:1"],
    ["a foreign directive", "%FOO bar\n---\na: 1", "LW-YAML-DIRECTIVE 1:1"],
    ["YAML 1.1", "%YAML 1.1\n---\na: 1", "LW-YAML-DIRECTIVE 1:1"],
    ["a tag directive", "%TAG ! tag:x,2000:\n---\na: 1", "LW-YAML-DIRECTIVE 1:1"],
    ["an unknown alias", "a: *x", "LW-YAML-ALIAS 1:4"],
    ["an alias inside its anchor", "a: &x [*x]", "LW-YAML-ALIAS 1:8"],
    ["a tab as indentation", "a:\n\tb: 1", "LW-YAML-TAB 2:1"],
    ["no-break spaces as indentation", "a:\n\u00a0\u00a0b: 1", "LW-YAML-INVISIBLE 2:1"],
    ["a no-break space after the colon", "a: 1\nb:\u00a02", "LW-YAML-INVISIBLE 2:3"],
    ["a zero-width space in a key", "a\u200bb: 1", "LW-YAML-INVISIBLE 1:1"],
    ["a key named __proto__", "__proto__: { a: 1 }", "LW-YAML-RESERVED-KEY 1:1"],
    ["a map as key", "? { a: 1 }\n: b", "LW-YAML-KEY 1:3"],
    ["a hexadecimal number", "a: 0x1F", "LW-YAML-NUMBER 1:4"],
    ["an octal number", "a: 0o17", "LW-YAML-NUMBER 1:4"],
    ["infinity", "a: .inf", "LW-YAML-NUMBER 1:4"],
    ["not a number", "a: .nan", "LW-YAML-NUMBER 1:4"],
    ["an overflowing number", "a: 1e999", "LW-YAML-NUMBER 1:4"],
    ["an inexact integer", "a: 12345678901234567890", "LW-YAML-NUMBER 1:4"],
    [
      "a substitution in braces",
      "sinks: [{ jsonl: { path: runs/${run:id}.jsonl } }]",
      "LW-YAML-UNQUOTED-SUBSTITUTION 1:26",
    ],
    ["a template in braces", "a: { reason: {{ answer.text }} }", "LW-YAML-UNQUOTED-TEMPLATE 1:14"],
    ["a template as a bare value", "task: {{ inputs.q }}", "LW-YAML-UNQUOTED-TEMPLATE 1:7"],
    ["a condition cut at the comma", "a: { when: f(a, b), always: true }", "LW-YAML-COMMA 1:12"],
    ["a sentence cut at the comma", "a: { fallback: Slow today, call back }", "LW-YAML-COMMA 1:16"],
    ["a list item cut at the comma", "a: [f(x, y), z]", "LW-YAML-COMMA 1:5"],
    ["a list in a bare condition", 'a: { when: x in ["a", "b"] }', "LW-YAML-SYNTAX 1:17"],
    ["a colon inside a value", "a: b: c", "LW-YAML-SYNTAX 1:4"],
    ["an open quote", 'a: "x\nb: 1', "LW-YAML-SYNTAX 1:4"],
    ["an item indented too far", "a:\n- b\n - c", "LW-YAML-INDENT 3:2"],
    ["an open brace", "a: {b: 1", "LW-YAML-SYNTAX 1:4"],
    ["a map below a list", "- a\nb: 1", "LW-YAML-INDENT 2:1"],
    ["text after a quote", 'a: "x" y', "LW-YAML-SYNTAX 1:8"],
    ["a reserved first character", "a: @x", "LW-YAML-SYNTAX 1:4"],
    ["a wrong indentation", "a:\n   b: 1\n  c: 2", "LW-YAML-INDENT 3:3"],
    ["a control character", "a: 1\nb: \u0007", "LW-FILE-CONTROL-CHARACTER 2:4"],
    ["bare carriage returns", "a: 1\rb: 2", "LW-FILE-LINE-ENDING 1:5"],
  ])("refuses %s", (_name, text, expected) => {
    expect(parse(text).found).toEqual([expected]);
  });

  it.each<[string, string, string]>([
    ["a bare !", "a: { when: !x && f(a, b), c: 1 }", 'quote it: "!x && f(a, b)"'],
    ["a bare ${", "a: { path: runs/${run:id}.jsonl, b: 1 }", 'quote it: "runs/${run:id}.jsonl"'],
    ["a bare {{", 'a: { b: see {{ x }} or "y" }', `quote it: 'see {{ x }} or "y"'`],
    ["a cut condition", "a: { when: f(a, b, c) }", 'quote it: "f(a, b, c)"'],
    [
      "a short indentation",
      "- react:\n  maxSteps: 6",
      "if `maxSteps` belongs to `react`, indent it by 2 more",
    ],
  ])("prints the repair of %s", (_name, text, suggestion) => {
    expect(parse(text).diagnostics.items.map((item) => item.suggestion)).toEqual([suggestion]);
  });

  it("says where the first of two equal keys stands", () => {
    expect(parse("a: 1\n\na: 2").diagnostics.items[0]?.notes).toEqual([
      "the first stands in line 1",
    ]);
  });
});

describe("hostile files", () => {
  it("stops an alias bomb", () => {
    const levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 12; level++)
      levels.push(
        `a${level}: &a${level} [${Array(9)
          .fill(`*a${level - 1}`)
          .join(", ")}]`,
      );
    expect(parse(levels.join("\n")).diagnostics.items.map((item) => item.code)).toEqual([
      "LW-YAML-ALIAS-EXPANSION",
    ]);
  });

  it.each([
    ["brackets", "[".repeat(100_000)],
    ["braces", "{a: ".repeat(50_000)],
    ["dashes", "- ".repeat(100_000)],
    ["question marks", "? ".repeat(100_000)],
    ["indentation", Array.from({ length: 400 }, (_, index) => `${" ".repeat(index)}a:`).join("\n")],
    [
      "aliases of nested lists",
      "a: &a [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]\nb: &b [[[[[[[[[[[[[[[[[[[[*a]]]]]]]]]]]]]]]]]]]]\nc: &c [[[[[[[[[[[[[[[[[[[[*b]]]]]]]]]]]]]]]]]]]]\nd: [[[[[[[[[[*c]]]]]]]]]]",
    ],
  ])("refuses values nested too deep: %s", (_name, text) => {
    expect(parse(text).diagnostics.items[0]?.code).toBe("LW-YAML-DEPTH");
  });

  it("refuses a file that is too large", () => {
    expect(parse("a: ".padEnd(1_100_000, "x")).found).toEqual(["LW-FILE-TOO-LARGE 1:1"]);
  });

  it("never throws, and either returns a node or reports an error", () => {
    const fragment = fc.constantFrom(
      "a",
      ": ",
      "- ",
      "\n",
      "  ",
      "{",
      "}",
      "[",
      "]",
      ",",
      "!",
      "&a ",
      "*a",
      "|",
      ">",
      "'",
      '"',
      "${x}",
      "{{ y }}",
      "#",
      "?",
      "%",
      "---",
      "\t",
      "1",
      "null",
      "\u00a0",
      "<<",
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 40 }), (parts) => {
        const { node, diagnostics } = parse(parts.join(""));
        expect(node === undefined).toBe(diagnostics.hasErrors);
      }),
      { numRuns: 2_000 },
    );
  });

  it("gives back what JSON.stringify wrote", () => {
    const value = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.array(tie("node"), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,8}$/), tie("node"), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value), (json) => {
        const { node, diagnostics } = parse(JSON.stringify(json, null, 1));
        expect(diagnostics.items).toEqual([]);
        expect(node === undefined ? undefined : toJson(node)).toEqual(structuredClone(json));
      }),
    );
  });
});
