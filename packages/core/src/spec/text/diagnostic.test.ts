import { expect, it } from "vitest";
import { DIAGNOSTIC_CODES } from "./diagnostic-codes.ts";
import { Diagnostics, formatDiagnostic, type Diagnostic } from "./diagnostic.ts";
import { nodeFromJson } from "./spec-node.ts";

const base: Diagnostic = {
  file: "a.yaml",
  line: 2,
  column: 6,
  endColumn: 9,
  code: "LW-YAML-NULL",
  severity: "error",
  message: "empty",
  path: "a",
};

it("prints place, code, message, excerpt with a caret, notes and repair", () => {
  const printed = formatDiagnostic({ ...base, suggestion: "write it", notes: ["by `extends`"] }, [
    "x: 1",
    "  a: bcd",
    "",
  ]);
  expect(printed).toBe(
    [
      "a.yaml:2:6 LW-YAML-NULL empty",
      "2 |   a: bcd",
      "  |      ^^^",
      "note: by `extends`",
      "fix: write it",
    ].join("\n"),
  );
});

it("prints no excerpt without the source, and says what is only a warning", () => {
  expect(formatDiagnostic({ ...base, severity: "warning" })).toBe(
    "a.yaml:2:6 LW-YAML-NULL warning: empty",
  );
});

it("keeps the caret under wide characters, tabs and long lines", () => {
  expect(
    formatDiagnostic({ ...base, line: 1, column: 4, endColumn: 6 }, ["\u4f60\u597d:\u5440x"]),
  ).toMatch(/\n {2}\| {6}\^{3}$/);
  expect(formatDiagnostic({ ...base, line: 1, column: 2, endColumn: 3 }, ["\tx"])).toMatch(
    /\| \t\^$/,
  );
  const long = formatDiagnostic({ ...base, line: 1, column: 501, endColumn: 502 }, [
    `${"a".repeat(500)}b${"a".repeat(500)}`,
  ]).split("\n");
  expect(long[1]?.indexOf("b")).toBe(long[2]?.indexOf("^"));
  expect(long[1]?.length).toBeLessThan(130);
});

it("cuts a long line at whole characters, and marks the cuts", () => {
  const source = `${"订单😀".repeat(60)}x${"😀订单".repeat(60)}`;
  const column = source.indexOf("x") + 1;
  for (const lead of ["", "a", "ab", "abc"]) {
    const printed = formatDiagnostic(
      { ...base, line: 1, column: column + lead.length, endColumn: column + lead.length + 1 },
      [`${lead}${source}`],
    ).split("\n");
    const [, line = "", caret = ""] = printed;
    expect(line).toMatch(/^1 \| \u2026[订单😀]+x[订单😀]+\u2026$/u);
    const before = line.slice("1 | \u2026".length, line.indexOf("x"));
    expect(caret).toBe(`  | ${" ".repeat(1 + 2 * Array.from(before).length)}^`);
  }
  const family = "👨‍👩‍👧";
  for (let shift = 0; shift < family.length; shift += 1) {
    const text = `${"-".repeat(shift)}${family.repeat(40)}x`;
    const at = text.length;
    const [, line] = formatDiagnostic({ ...base, line: 1, column: at, endColumn: at + 1 }, [
      text,
    ]).split("\n");
    expect(line).toMatch(/^1 \| \u2026(?:👨‍👩‍👧)+x$/u);
  }
});

it("marks no cut where nothing but space is left out", () => {
  const text = `${"a".repeat(119)}b   `;
  expect(formatDiagnostic({ ...base, line: 1, column: 1, endColumn: 2 }, [text])).toContain(
    `1 | ${text.trim()}\n`,
  );
});

it("lets no control character of a spec reach the terminal", () => {
  expect(
    formatDiagnostic({ ...base, message: "\u001b[31mred" }, ["", "\u001b]0;title\u0007"]),
  ).not.toMatch(/\p{Cc}(?<!\n)/u);
});

it("collects at nodes and positions, and sorts by place", () => {
  const diagnostics = new Diagnostics();
  diagnostics.warn("LW-EXPR-TYPE", { file: "b.yaml", line: 1, column: 1 }, "late");
  expect(diagnostics.hasErrors).toBe(false);
  diagnostics.error(
    "LW-EXPR-TYPE",
    nodeFromJson("x", { file: "a.yaml", line: 9, column: 2 }, "task.text"),
    "second",
    "mend",
  );
  diagnostics.error("LW-EXPR-TYPE", { file: "a.yaml", line: 2, column: 2 }, "first", undefined, []);
  expect(diagnostics.hasErrors).toBe(true);
  expect(diagnostics.sorted().map((item) => item.message)).toEqual(["first", "second", "late"]);
  expect(diagnostics.items[1]).toEqual({
    file: "a.yaml",
    line: 9,
    column: 2,
    code: "LW-EXPR-TYPE",
    severity: "error",
    message: "second",
    path: "task.text",
    suggestion: "mend",
  });
  expect(diagnostics.items[2]).not.toHaveProperty("suggestion");
});

it("groups and explains every code", () => {
  for (const [code, explanation] of Object.entries(DIAGNOSTIC_CODES)) {
    expect(code).toMatch(
      /^LW-(FILE|YAML|VALUE|SUBST|TEMPLATE|EXPR|SPEC|STAGE|PLUGIN|AGENT|FLOW|LIMIT|MODEL|PROMPT|TOOL)(-[A-Z]+)+$/,
    );
    expect(explanation).toMatch(/^[A-Z`].*\.$/);
  }
});
