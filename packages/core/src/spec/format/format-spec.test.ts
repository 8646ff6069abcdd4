import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Diagnostics } from "../text/diagnostic.ts";
import { parseYaml } from "../text/parse-yaml.ts";
import { sourceFromText } from "../text/read-source.ts";
import { toJson } from "../text/spec-node.ts";
import { formatSpec } from "./format-spec.ts";
import { inOrder } from "./key-order.ts";

function format(text: string): string {
  const formatted = formatSpec(text);
  if (!formatted.ok) throw new Error(`${formatted.message} at ${formatted.line}\n${text}`);
  return formatted.text;
}

function parse(text: string): unknown {
  const diagnostics = new Diagnostics();
  const node = parseYaml(sourceFromText(text, "a.yaml"), diagnostics);
  if (node === undefined) throw new Error(`${diagnostics.items[0]?.message ?? ""}\n${text}`);
  return toJson(node);
}

const commentsOf = (text: string): readonly string[] =>
  (text.match(/# \w[^\r\n]*/g) ?? []).toSorted();

describe("order", () => {
  it("puts the keys of a spec in the one order, each with its comments", () => {
    const text = `# a header

# the strategy
strategy: direct   # short
# the name
name: a

model: ollama/x
apiVersion: loopwright/v1
# the end
`;
    expect(format(text)).toBe(`# a header

# the strategy
apiVersion: loopwright/v1
# the name
name: a

model: ollama/x
strategy: direct   # short
# the end
`);
  });

  it("puts id and guard of a stage first, its slots behind its options, and what all stages take last", () => {
    const text = `strategy:
  - model: judge
    react:
  - verify:
      # who judges
      model: judge
      revise:
        # once
        - refine: { model: x, when: verdict.revised, id: again }
      maxRounds: 2
      id: judged
`;
    expect(formatSpec(text)).toMatchObject({ ok: false, line: 3 });
    expect(format(text.replace("  - model: judge\n    react:\n", ""))).toBe(`strategy:
  - verify:
      id: judged
      maxRounds: 2
      revise:
        # once
        - refine: { id: again, when: verdict.revised, model: x }
      # who judges
      model: judge
`);
  });

  it("orders the first entry of a list item with the others", () => {
    const text = `strategy:
  - react:
      maxSteps: 3
  - branch:
      else: stop
      # else nothing
      then: direct
      if: answer.solvable
memory:
  lessons:
    path: x
    use: file
`;
    expect(format(text)).toBe(`memory:
  lessons:
    use: file
    path: x
strategy:
  - react:
      maxSteps: 3
  - branch:
      if: answer.solvable
      # else nothing
      then: direct
      else: stop
`);
  });

  it("keeps the order of names that the author chose", () => {
    const text = `models: { z: ollama/z, a: { use: ollama/a } }\nglossary:\n  Z: 1st\n  A: 2nd\n`;
    expect(format(text)).toContain("{ z: ollama/z, a: { use: ollama/a } }");
    expect(format(text)).toContain("  Z: 1st\n  A: 2nd\n");
  });

  it("moves nothing where an alias must stay behind its anchor", () => {
    const text = "models: { a: &m ollama/x }\nmodel: *m\nname: a\n";
    expect(formatSpec(text)).toEqual({
      ok: true,
      text,
      remark:
        "the keys stay in their order: sorted, an alias like *m would stand before its anchor",
    });
    const free = "model: &m ollama/x\nmodels: { a: *m }\nname: a\n";
    expect(formatSpec(free)).toEqual({
      ok: true,
      text: "name: a\nmodel: &m ollama/x\nmodels: { a: *m }\n",
    });
  });

  it("moves a block text as it is", () => {
    const text = "task: |\n  one\n\n  two\n\nname: a\n";
    expect(format(text)).toBe("name: a\ntask: |\n  one\n\n  two\n");
  });
});

describe("a text that keeps the empty lines behind it", () => {
  it.each([
    ["task: |+\n  one\n\n\n# n\nname: a\n", "# n\nname: a\ntask: |+\n  one\n\n\n"],
    ["model: m\n\ntask: |+\n  one\n\nname: a\n", "name: a\n\ntask: |+\n  one\n\nmodel: m\n"],
    ["limits: {}\n\nname: a\ntask: >+\n  one\n\n", "name: a\ntask: >+\n  one\n\nlimits: {}\n"],
    [
      "output:\n  fields:\n    - |2+\n      one\n\nname: a\n",
      "name: a\noutput:\n  fields:\n    - |2+\n      one\n\n",
    ],
  ])("moves it with them: %j", (from, to) => {
    expect(formatSpec(from)).toEqual({ ok: true, text: to });
    expect(formatSpec(to)).toEqual({ ok: true, text: to });
    expect(parse(to)).toEqual(parse(from));
    const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
    expect(formatSpec(crlf(from))).toEqual({ ok: true, text: crlf(to) });
  });
});

describe("quotes", () => {
  it.each([
    ["yes", '"yes"'],
    ["Off", '"Off"'],
    ["y", '"y"'],
    ["1:30", '"1:30"'],
    ["2026-08-24", '"2026-08-24"'],
    ["1_000", '"1_000"'],
    ["0b11", '"0b11"'],
    ["'yes'", '"yes"'],
    ["'it \"is\"'", "'it \"is\"'"],
    ['"say \\"no\\""', "'say \"no\"'"],
    ['"a\\tb"', '"a\\tb"'],
    ["'it''s'", '"it\'s"'],
    ["plain text", "plain text"],
    ["5s", "5s"],
    ["10/1m", "10/1m"],
    ["true", "true"],
    ["12", "12"],
    ["\"verdict.outcome == 'pass'\"", "\"verdict.outcome == 'pass'\""],
  ])("writes %s as %s", (from, to) => {
    expect(format(`a: ${from}\n`)).toBe(`a: ${to}\n`);
  });

  it("quotes keys that would be no text", () => {
    expect(format("inputs: { n: string, on: string }\n")).toBe(
      'inputs: { "n": string, "on": string }\n',
    );
  });
});

describe("the file", () => {
  it("keeps CRLF, a byte-order mark and a missing end of line", () => {
    expect(format("name: a\r\napiVersion: x\r\n")).toBe("apiVersion: x\r\nname: a\r\n");
    expect(format("\ufeffname: yes\n")).toBe('\ufeffname: "yes"\n');
    expect(format("name: a\napiVersion: x")).toBe("apiVersion: x\nname: a");
  });

  it("tells the first fault of a broken file, with its place", () => {
    expect(formatSpec("a: 1\nb: {\n")).toMatchObject({
      ok: false,
      line: expect.any(Number) as number,
    });
    expect(formatSpec("a: 1\na: 2\n")).toMatchObject({ ok: false, line: 2, column: 1 });
    expect(formatSpec("")).toMatchObject({ ok: false, message: "the file is empty" });
  });
});

const folders = ["specs", "fixtures/gallery"].map((folder) =>
  join(import.meta.dirname, "../../../../..", folder),
);
const specs = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => join(folder, name)),
);

it.each(specs)("keeps meaning and comments of %s", (file) => {
  const text = readFileSync(file, "utf8");
  const formatted = format(text);
  expect(parse(formatted)).toEqual(parse(text));
  expect(format(formatted)).toBe(formatted);
  expect(commentsOf(formatted)).toEqual(commentsOf(text));
});

type Tree = string | { readonly list: readonly Tree[] } | { readonly map: readonly Entry[] };

interface Entry {
  readonly key: string;
  readonly value: Tree;
  readonly above: "none" | "comment" | "blank" | "both";
  readonly behind: boolean;
  readonly isFlow: boolean;
}

const scalars = fc.constantFrom(
  "yes",
  "1:30",
  "text",
  "'quoted'",
  '"with \\"both\\" kinds"',
  "12",
  "true",
  "a # no",
  "2026-01-01",
  "|\n@one\n\n@  two",
  ">-\n@folded\n@text",
  "|+\n@kept\n\n",
  '"{{ task.text }}"',
  "verdict.passed",
  "'!x'",
  "~x",
);
const keys = fc.constantFrom(
  "apiVersion",
  "name",
  "model",
  "strategy",
  "tools",
  "limits",
  "react",
  "verify",
  "do",
  "id",
  "when",
  "use",
  "maxSteps",
  "revise",
  "overlays",
  "output",
  "checks",
  "on",
  "x-1",
  "sinks+",
  "temperature",
  "memory",
  "stages",
);
const { tree } = fc.letrec<{ tree: Tree; entry: Entry }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { arbitrary: scalars, weight: 3 },
    {
      arbitrary: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((list) => ({ list })),
      weight: 2,
    },
    {
      arbitrary: fc
        .uniqueArray(tie("entry"), { minLength: 1, maxLength: 6, selector: ({ key }) => key })
        .map((map) => ({ map })),
      weight: 4,
    },
  ),
  entry: fc.record({
    key: keys,
    value: tie("tree"),
    above: fc.constantFrom("none", "none", "comment", "blank", "both"),
    behind: fc.boolean(),
    isFlow: fc.boolean(),
  }),
}));
const roots = fc
  .uniqueArray(
    fc.record({
      key: keys,
      value: tree,
      above: fc.constantFrom("none" as const, "comment" as const, "both" as const),
      behind: fc.boolean(),
      isFlow: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6, selector: ({ key }) => key },
  )
  .map((map): Tree => ({ map }));

class Printer {
  #comments = 0;

  print(node: Tree, indent: string): string {
    if (typeof node === "string") return ` ${node.replaceAll("@", `${indent}  `)}\n`;
    if ("list" in node)
      return `\n${node.list.map((item) => `${indent}- ${this.print(item, `${indent}  `).trimStart()}`).join("")}`;
    return `\n${node.map.map((entry) => this.#entry(entry, indent)).join("")}`;
  }

  #entry({ key, value, above, behind, isFlow }: Entry, indent: string): string {
    const comment = `# comment ${this.#comments++}`;
    const blank = above === "blank" || above === "both" ? "\n" : "";
    const lead = above === "comment" || above === "both" ? `${indent}${comment} above\n` : "";
    const flow = isFlow ? flowText(value) : undefined;
    const written = flow === undefined ? this.print(value, `${indent}  `) : ` ${flow}\n`;
    const [first = "", ...rest] = written.split("\n");
    const tail = behind && !first.includes("#") ? `${first} ${comment} behind` : first;
    return `${blank}${lead}${indent}${key}:${[tail, ...rest].join("\n")}`;
  }
}

function flowText(node: Tree): string | undefined {
  if (typeof node === "string") return /[|>#]/.test(node) ? undefined : node;
  if ("list" in node) {
    const items = node.list.map(flowText);
    return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
  }
  const pairs = node.map.map(({ key, value }) => [key, flowText(value)] as const);
  return pairs.some(([, value]) => value === undefined)
    ? undefined
    : `{ ${pairs.map(([key, value]) => `${key}: ${value ?? ""}`).join(", ")} }`;
}

it("keeps meaning, comments and line endings of any file, and changes nothing twice", () => {
  fc.assert(
    fc.property(roots, fc.boolean(), (root, isCrlf) => {
      const lines = new Printer().print(root, "").slice(1);
      const text = isCrlf ? lines.replaceAll("\n", "\r\n") : lines;
      const formatted = format(text);
      expect(parse(formatted)).toEqual(parse(text));
      expect(format(formatted)).toBe(formatted);
      expect(commentsOf(formatted)).toEqual(commentsOf(text));
      const names = Object.keys(parse(formatted) as object);
      expect(names).toEqual(inOrder("spec", names, (name) => name));
      expect(/(?<!\r)\n/.test(formatted)).toBe(!isCrlf && formatted.includes("\n"));
    }),
    { numRuns: 60 },
  );
}, 60_000);
