import { basename } from "node:path";
import type { CheckResult, Diagnostic } from "@loopwright/core";
import { expect, test } from "vitest";
import type { CheckedSpec } from "./checked-spec.ts";
import { githubAnnotations } from "./github-annotations.ts";
import { jsonLines } from "./json-lines.ts";
import { sarif } from "./sarif.ts";
import { summaryLines, textReport } from "./text-report.ts";

const root = process.cwd();

function checked(...diagnostics: readonly Diagnostic[]): CheckedSpec {
  const result = { diagnostics, sources: new Map(), variants: [] } as unknown as CheckResult;
  return { spec: "desk.yaml", root, result };
}

const found: Diagnostic = {
  file: "my specs/desk.yaml",
  line: 4,
  column: 3,
  endColumn: 9,
  code: "LW-SPEC-UNKNOWN-KEY",
  severity: "error",
  message: "a spec has no `toolss`: 100%,\nsure",
  path: "toolss",
  suggestion: "did you mean `tools`?",
  notes: ["by `extends` at base.yaml:1"],
};
const set: Diagnostic = {
  file: "--set",
  line: 1,
  column: 1,
  code: "LW-SPEC-PATCH",
  severity: "warning",
  message: "it sets nothing",
  path: "",
};

test("JSON is one object a line with these keys and no others, and what is not there is left out", () => {
  const lines = jsonLines([checked(found, set)])
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      file: "my specs/desk.yaml",
      line: 4,
      column: 3,
      endColumn: 9,
      code: "LW-SPEC-UNKNOWN-KEY",
      severity: "error",
      message: "a spec has no `toolss`: 100%,\nsure",
      path: "toolss",
      suggestion: "did you mean `tools`?",
      notes: ["by `extends` at base.yaml:1"],
    },
    {
      file: "--set",
      line: 1,
      column: 1,
      code: "LW-SPEC-PATCH",
      severity: "warning",
      message: "it sets nothing",
      path: "",
    },
  ]);
});

test("a summary spells out what a file name could do to a terminal or to a log", () => {
  const odd = { ...checked(set), spec: "a\u001B[31m\n::error::b.yaml" };
  expect(summaryLines([odd])).toBe("a\\u001b[31m\\n::error::b.yaml: 0 errors, 1 warning\n");
});

test("a summary calls the working folder by its name, as its finding does", () => {
  const name = basename(process.cwd());
  expect(summaryLines([{ ...checked(set), spec: "." }])).toBe(`${name}: 0 errors, 1 warning\n`);
});

test("a strict summary says why warnings alone fail", () => {
  expect(summaryLines([checked(set)], true)).toBe(
    "desk.yaml: 0 errors, 1 warning, and --strict counts it\n",
  );
  expect(summaryLines([checked(found)], true)).toBe("desk.yaml: 1 error, 0 warnings\n");
});

test("no findings are no lines", () => {
  expect(jsonLines([checked()])).toBe("");
  expect(githubAnnotations([checked()])).toBe("");
});

test("what two specs share, as a base, is told once", () => {
  expect(
    jsonLines([checked(found), checked(found)])
      .trimEnd()
      .split("\n"),
  ).toHaveLength(1);
});

test("a GitHub annotation escapes what would end its line or its properties", () => {
  const odd = { ...found, file: "a,b:c.yaml" };
  expect(githubAnnotations([checked(odd)])).toBe(
    "::error file=a%2Cb%3Ac.yaml,line=4,endLine=4,col=3,endColumn=9,title=LW-SPEC-UNKNOWN-KEY::a spec has no `toolss`: 100%25,%0Asure%0Anote: by `extends` at base.yaml:1%0Afix: did you mean `tools`?\n",
  );
});

test("a GitHub annotation of the command line names no file", () => {
  expect(githubAnnotations([checked(set)])).toBe(
    "::warning title=LW-SPEC-PATCH::it sets nothing\n",
  );
});

interface Log {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly { readonly ruleId: string; readonly ruleIndex: number }[];
  }[];
}

test("SARIF names the rule, the level and the place of each finding, with a relative URI", () => {
  const log = JSON.parse(sarif([checked(found, set)])) as Log;
  const [run] = log.runs;
  expect(log.version).toBe("2.1.0");
  expect(run?.results).toEqual([
    {
      ruleId: "LW-SPEC-UNKNOWN-KEY",
      ruleIndex: expect.any(Number),
      level: "error",
      message: {
        text: "a spec has no `toolss`: 100%,\nsure\nnote: by `extends` at base.yaml:1\nfix: did you mean `tools`?",
      },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "my%20specs/desk.yaml" },
            region: { startLine: 4, startColumn: 3, endColumn: 9 },
          },
          logicalLocations: [{ fullyQualifiedName: "toolss" }],
        },
      ],
    },
    expect.objectContaining({
      level: "warning",
      locations: [{ logicalLocations: [{ fullyQualifiedName: "--set" }] }],
    }),
  ]);
  for (const { ruleId, ruleIndex } of run?.results ?? [])
    expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
});

test("SARIF is there without findings too: an empty list closes what was open before", () => {
  expect((JSON.parse(sarif([checked()])) as Log).runs[0]?.results).toEqual([]);
});

test("a text report of very many findings is cut, its count is not; what machines read is whole", () => {
  const many = Array.from({ length: 3000 }, (_, index) => ({
    ...found,
    line: index + 1,
    message: `a spec has no \`key${index}\``,
  }));
  const text = textReport([checked(...many)]);
  expect(text.match(/LW-SPEC-UNKNOWN-KEY/gu)).toHaveLength(100);
  expect(text).toContain("… and 2,900 more (2,900 errors, 0 warnings)");
  expect(text).toContain("desk.yaml: 3,000 errors, 0 warnings");
  expect(
    jsonLines([checked(...many)])
      .trimEnd()
      .split("\n"),
  ).toHaveLength(3000);
  expect(
    githubAnnotations([checked(...many)])
      .trimEnd()
      .split("\n"),
  ).toHaveLength(3000);
  expect((JSON.parse(sarif([checked(...many)])) as Log).runs[0]?.results).toHaveLength(3000);
});

test("the worst case counts the calls that are made again, where that can happen", () => {
  const one = (attempts: number): CheckedSpec => {
    const bounds = { requests: [1, 2], toolCalls: [0, 3], attempts };
    const result = { ...checked().result, program: { bounds, limits: {} } };
    return { ...checked(), result: result as unknown as CheckResult };
  };
  expect(summaryLines([one(10), one(2)])).toBe(
    "desk.yaml: ok; at most 2 model calls (10 calls when some fail and are made again) and 3 tool calls\n" +
      "desk.yaml: ok; at most 2 model calls and 3 tool calls\n",
  );
});
