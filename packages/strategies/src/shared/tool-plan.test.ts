import { describe, expect, it } from "vitest";
import {
  callKeyOf,
  callLine,
  filledArguments,
  levelsOf,
  plainArguments,
  plainSteps,
  referencesOf,
  type ToolStep,
} from "./tool-plan.ts";

function step(id: string, ...values: readonly string[]): ToolStep {
  const list = values.map((value, index) => ({ name: `arg${index}`, value }));
  return { id, plan: "", tool: "stock", arguments: list };
}

function filled(value: string, texts: Readonly<Record<string, string>>, maxChars = 100): unknown {
  const known = { textOf: (id: string) => texts[id] ?? "", maxChars };
  return (JSON.parse(filledArguments(step("E0", value), known)) as { readonly arg0: unknown }).arg0;
}

describe("references of a step", () => {
  it("are named once each, and the longest number counts", () => {
    expect(referencesOf(step("E9", "#E1 and #E12", "#E1#E2"))).toEqual(["E1", "E12", "E2"]);
  });

  it("are neither prices nor numbers of issues", () => {
    expect(referencesOf(step("E1", "$1, #12, E3, #E"))).toEqual([]);
  });
});

describe("levels", () => {
  const ids = (levels: readonly (readonly ToolStep[])[]) =>
    levels.map((level) => level.map(({ id }) => id));

  it("hold what waits for those before alone, in the order of the plan", () => {
    const steps = [step("E3", "#E2"), step("E1"), step("E2", "#E1"), step("E4"), step("E5", "#E4")];
    expect(ids(levelsOf(steps))).toEqual([["E1", "E4"], ["E2", "E5"], ["E3"]]);
  });

  it("leave out circles and what stands behind them", () => {
    const steps = [
      step("E1", "#E2"),
      step("E2", "#E1"),
      step("E3", "#E2"),
      step("E4", "#E4"),
      step("E5"),
    ];
    expect(ids(levelsOf(steps))).toEqual([["E5"]]);
  });

  it("take steps of an earlier plan as done", () => {
    expect(ids(levelsOf([step("E2", "#E1")], ["E1"]))).toEqual([["E2"]]);
    expect(ids(levelsOf([step("E2", "#E1")]))).toEqual([]);
  });
});

describe("arguments", () => {
  it("have each reference replaced once: what was found is not read again", () => {
    expect(filled("#E1 #E12", { E1: "#E12", E12: "twelve" })).toBe("#E12 twelve");
  });

  it("are filled inside lists and objects, and no quote breaks them", () => {
    expect(filled('["#E1", {"a": "x #E1"}, 3]', { E1: 'say "hi"\\' })).toEqual([
      'say "hi"\\',
      { a: 'x say "hi"\\' },
      3,
    ]);
  });

  it("stay text where brackets hold no JSON", () => {
    expect(filled("[see #E1", { E1: "x" })).toBe("[see x");
  });

  it("are cut without cutting a character in two", () => {
    expect(filled("#E1!", { E1: "ab😀" }, 3)).toBe("ab!");
    expect(filled("#E1!", { E1: "ab😀" }, 4)).toBe("ab😀!");
  });

  it("stay as they are where nothing refers", () => {
    expect(plainArguments(step("E1", "#E7 of [1]", "[1, 2]"))).toBe(
      '{"arg0":"#E7 of [1]","arg1":[1,2]}',
    );
  });
});

describe("two calls", () => {
  it("are the same whatever the order of their arguments, and others with another tool", () => {
    const one = {
      tool: "a",
      arguments: [
        { name: "x", value: "1 " },
        { name: "y", value: "2" },
      ],
    };
    const other = { tool: "a", arguments: one.arguments.toReversed() };
    expect(callKeyOf(one)).toBe(callKeyOf(other));
    expect(callKeyOf({ ...one, tool: "b" })).not.toBe(callKeyOf(one));
    const joined = { tool: "a", arguments: [{ name: "x", value: '1"],["y","2' }] };
    expect(callKeyOf(joined)).not.toBe(callKeyOf(one));
  });

  it("are one line each", () => {
    expect(callLine(step("E1", "a\nb", "c"))).toBe('stock(arg0: "a\\nb", arg1: "c")');
  });
});

describe("steps as a model writes them", () => {
  it("lose the marks around ids and tools", () => {
    expect(plainSteps([{ ...step(" #E1 "), tool: " stock\n" }])).toEqual([step("E1")]);
  });
});
