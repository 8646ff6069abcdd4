import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileText } from "../../test/stub-plugins.ts";

// The flagship of the test beside this one, so that both move together.
const source = readFileSync(new URL("compile-spec.test.ts", import.meta.url), "utf8");
const flagship =
  (source.split("const flagship = `")[1] ?? "").split("`;\n")[0]?.replaceAll("\\$", "$") ?? "";
const lines = flagship.split("\n");

const oddities = [
  "[]",
  "{}",
  "7",
  "true",
  '""',
  "[[1]]",
  "{ a: { b: c } }",
  "none",
  "${env:X}",
  "'{{ x }}'",
  "-1",
  "1e3",
  "x y",
  "[none, 1]",
  "{ use: [] }",
  "{ extends: default }",
];
const change = fc.record({
  line: fc.nat({ max: lines.length - 1 }),
  kind: fc.constantFrom("delete", "indent", "outdent", "value", "key", "swap"),
  odd: fc.constantFrom(...oddities),
});

function mutate(
  text: readonly string[],
  { line, kind, odd }: { line: number; kind: string; odd: string },
): readonly string[] {
  const said = text[line] ?? "";
  const next = {
    delete: [],
    indent: [`  ${said}`],
    outdent: [said.replace(/^ {2}/, "")],
    value: [said.replace(/: .*$/, `: ${odd}`)],
    key: [said.replace(/[a-zA-Z]+:/, "sinks:")],
    swap: [text[line + 1] ?? "", said],
  }[kind] ?? [said];
  return [...text.slice(0, line), ...next, ...text.slice(line + (kind === "swap" ? 2 : 1))];
}

describe("any spec", () => {
  it("ends in a program or in errors that have a place, and never throws", async () => {
    expect(lines.length).toBeGreaterThan(30);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const text = changes.reduce(mutate, lines).join("\n");
        const { program, diagnostics } = await compileText(text);
        const errors = diagnostics.filter((item) => item.severity === "error");
        expect(program === undefined).toBe(errors.length > 0);
        expect(
          diagnostics.every((item) => item.line >= 1 && item.column >= 1 && item.message !== ""),
        ).toBe(true);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
