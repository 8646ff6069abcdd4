import type { Diagnostic } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { countText, diagnosticText } from "./diagnostic-text.ts";
import { shownDiagnostics } from "./shown-diagnostics.ts";

function finding(line: number, changes: Partial<Diagnostic> = {}): Diagnostic {
  const place = { file: "desk.yaml", line, column: 3, path: "" };
  const said = { code: "LW-PROMPT-INPUT", message: "an input stands in `instructions`" };
  return { ...place, ...said, severity: "warning", ...changes };
}
const series = (count: number, changes: (line: number) => Partial<Diagnostic> = () => ({})) =>
  Array.from({ length: count }, (_, index) => finding(index + 1, changes(index + 1)));
const shown = (found: readonly Diagnostic[]) => shownDiagnostics(found, (file) => `here/${file}`);

describe("what a person is shown of many findings", () => {
  it("is all of a few, as they are", () => {
    const few = series(3);
    expect(shown(few)).toEqual({ shown: few, hidden: [] });
    const different = series(99, (line) => ({ message: `key${line} is unknown` }));
    expect(shown(different)).toEqual({ shown: different, hidden: [] });
  });

  it("is three of a kind, and where the others are", () => {
    const { shown: told, hidden } = shown(series(142));
    expect(told.map(({ line, notes }) => [line, notes])).toEqual([
      [1, undefined],
      [2, undefined],
      [3, ["the same at 139 more places: lines 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, …"]],
    ]);
    expect(hidden).toEqual([]);
  });

  it("names other files, and one place as one", () => {
    const told = shown([...series(4), finding(7, { file: "base.yaml" })]).shown;
    expect(told.at(-1)?.notes).toEqual(["the same at 2 more places: line 4, here/base.yaml:7"]);
    expect(shown(series(4)).shown.at(-1)?.notes).toEqual(["the same at 1 more place: line 4"]);
  });

  it("keeps apart what has another repair or severity, and the notes that stand there", () => {
    const apart = [...series(3), finding(4, { suggestion: "quote it" })];
    expect(shown(apart).shown).toEqual(apart);
    const noted = series(4, () => ({ notes: ["by `extends` at a.yaml:1"] }));
    expect(shown(noted).shown.at(-1)?.notes).toEqual([
      "by `extends` at a.yaml:1",
      "the same at 1 more place: line 4",
    ]);
  });

  it("is a hundred at most, errors before warnings, in the order of their places", () => {
    const mixed = series(300, (line) => ({
      message: `key${line} is unknown`,
      severity: line > 250 ? "error" : "warning",
    }));
    const { shown: told, hidden } = shown(mixed);
    expect(told).toHaveLength(100);
    expect(countText(told)).toBe("50 errors, 50 warnings");
    expect(told.map(({ line }) => line)).toEqual(
      told.map(({ line }) => line).toSorted((a, b) => a - b),
    );
    expect(countText(hidden)).toBe("0 errors, 200 warnings");
  });

  it("ends with how many more there are, those that are named not counted", () => {
    const found = [
      ...series(142),
      ...series(3000, (line) => ({ message: `key${line} is unknown` })),
    ];
    const text = diagnosticText({ diagnostics: found, sources: new Map() }, process.cwd());
    expect(text).toMatch(
      /\n\n… and 2,903 more \(0 errors, 2,903 warnings\); loopwright check --format json gives all$/u,
    );
  });
});
