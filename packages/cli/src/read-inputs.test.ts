import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readInputs } from "./read-inputs.ts";

const folder = mkdtempSync(join(tmpdir(), "loopwright-"));
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test("keeps what is typed as text, for core to type", () => {
  expect(readInputs(["id=007", "note=a=b", "empty="])).toEqual({
    id: "007",
    note: "a=b",
    empty: "",
  });
});

test("reads a text from a file without its last newline", () => {
  expect(readInputs([`mail=@${file("mail.txt", "Hello,\nworld\n")}`])).toEqual({
    mail: "Hello,\nworld",
  });
  expect(readInputs(["name=@@alice"])).toEqual({ name: "@alice" });
});

test("reads many inputs from a file; a later option wins", () => {
  const json = file("many.json", '{"a": 1, "b": [2]}');
  const yaml = file("many.yaml", "c: 3\n");
  expect(readInputs([`@${json}`, `@${yaml}`, "a=4"])).toEqual({ a: "4", b: [2], c: 3 });
});

test("refuses one name twice", () => {
  expect(() => readInputs(["x=1", "y=1", "x=2"])).toThrow("-i x= is given twice; give it once");
});

test.each([
  ["text", /is not written NAME=VALUE, NAME=@FILE or @FILE/u],
  ["=x", /is not written NAME=VALUE/u],
  ["a=@gone.txt", /-i a=@gone\.txt does not exist/u],
  [`a=@${folder}`, /is a folder, not a file/u],
  [`@${file("bad.json", "{")}`, /is no JSON/u],
  [`@${file("list.json", "[1]")}`, /must hold one object/u],
])("refuses %j", (text, message) => {
  expect(() => readInputs([text])).toThrow(message);
});
