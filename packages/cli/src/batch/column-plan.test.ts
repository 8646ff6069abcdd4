import type { Program } from "@loopwright/core";
import { describe, expect, test } from "vitest";
import { planColumns, planText } from "./column-plan.ts";

type Planned = Pick<Program, "inputs" | "name" | "task">;

const programWith = (inputs: Planned["inputs"]["fields"], hasTask: boolean): Planned => ({
  name: "orders",
  inputs: { fields: inputs, schema: {} },
  task: {
    text: {
      parts: hasTask ? [{ kind: "text", text: "Do it." }] : [],
      paths: [],
      isWholeValue: false,
    },
    constraints: [],
  } as unknown as Planned["task"],
});

const text = { schema: { type: "string" }, optional: false };
const none = { keep: [] };

describe("a column `task`", () => {
  test("is the task where the spec says none", () => {
    const plan = planColumns(programWith({ id: text }, false), ["id", "task"], none);
    expect(plan.task?.({ id: "1", task: "Where is it?" })).toBe("Where is it?");
    expect(plan.kept).toEqual([]);
  });

  test("is kept like any other where the spec says its own", () => {
    const own = planColumns(programWith({}, true), ["task"], none);
    expect(own).toMatchObject({ kept: ["task"] });
    expect(own.task).toBeUndefined();
    const input = planColumns(programWith({ task: text }, true), ["task"], none);
    expect(input).toMatchObject({ inputs: ["task"], kept: [] });
    expect(input.task).toBeUndefined();
  });

  test("or --task must be there where the spec says none", () => {
    const plan = (): unknown => planColumns(programWith({ id: text }, false), ["id"], none);
    expect(plan).toThrow(/says no task.*--task TEXT/u);
  });

  test("gives way to --task, whose columns are not kept twice", () => {
    const options = { keep: [], task: "{{ a }} and {{b}}, {{ a }}" };
    const plan = planColumns(programWith({}, true), ["a", "b", "c"], options);
    expect(plan.task?.({ a: "$&", b: 2, c: null })).toBe("$& and 2, $&");
    expect(plan.kept).toEqual(["c"]);
  });
});

test("inputs without a column are told apart from those that have one", () => {
  const fields = {
    id: text,
    note: { ...text, optional: true },
    lang: { ...text, default: "en" },
  };
  const plan = planColumns(programWith(fields, true), ["id", "when", "x"], { keep: ["x"] });
  expect(plan).toMatchObject({ inputs: ["id"], absent: ["note", "lang"], kept: ["x"] });
  expect(planText(plan)).toBe(
    "  inputs from columns: id\n  inputs without a column: note, lang (default or null)\n  no inputs, but kept beside each value: x\n  columns left out: when\n",
  );
});

test("every missing column is told in one error, with what the file has", () => {
  const plan = (): unknown =>
    planColumns(programWith({ id: text, size: text }, true), ["di\n"], none);
  expect(plan).toThrow(/takes inputs that have no column: `id`.*, `size`; the file has di\\n/u);
});
