import { expect, test } from "vitest";
import { readArguments, refusePositionals } from "./arguments.ts";
import { COMMANDS } from "./command-table.ts";
import { EXIT_CODES } from "./exit-codes.ts";

const read = (...argv: string[]): ReturnType<typeof readArguments> =>
  readArguments("run", argv, COMMANDS.get("run")?.options ?? {});

test("reads a spec, its words and options in any order", () => {
  const given = read("-i", "a=1", "desk.yaml", "Where", "--set", "x=-1", "is", "it?", "-i=b=2");
  expect(given.positionals).toEqual(["desk.yaml", "Where", "is", "it?"]);
  expect(given.list("set")).toEqual(["x=-1"]);
  expect(given.list("input")).toContain("a=1");
  expect(given.has("json")).toBe(false);
});

test("takes the last of an option that was given twice", () => {
  expect(read("--root", "a", "--root=b").text("root")).toBe("b");
});

test("keeps a lone dash and everything behind `--` as words", () => {
  expect(read("a.yaml", "-").positionals).toEqual(["a.yaml", "-"]);
  expect(read("a.yaml", "--", "--json").positionals).toEqual(["a.yaml", "--json"]);
});

test.each([
  [["--modle", "x"], "`run` has no option --modle; did you mean --model?"],
  [["-z"], "`run` has no option -z; see loopwright run --help"],
  [["--model"], "--model needs a value; see loopwright run --help"],
  [["-i"], "--input needs a value; see loopwright run --help"],
  [["--json=yes"], "--json takes no value; see loopwright run --help"],
  [["--set", "--json"], "--set needs a value; see loopwright run --help"],
])("refuses %j with one line", (argv, message) => {
  expect(() => read(...argv)).toThrow(
    expect.objectContaining({ message, exitCode: EXIT_CODES.usage }),
  );
});

test("refuses words that a command has no use for", () => {
  expect(() => refusePositionals("plugins", ["x"])).toThrow(/`plugins` takes no `x`/u);
});
