import { expect, it } from "vitest";
import { Diagnostics } from "../text/diagnostic.ts";
import { parseYaml } from "../text/parse-yaml.ts";
import { sourceFromText } from "../text/read-source.ts";
import { entry } from "../text/spec-node.ts";
import { atOffset } from "./offset-position.ts";

it.each([
  ["plain", "a: one WORD two\n"],
  ["quoted", "a: 'one WORD two'\n"],
  ["literal", "a: |\n  one\n  two WORD\n"],
  ["literal with an empty line", "a: |\n  one\n\n    deep WORD\n  x\n"],
  ["literal with a given indentation", "a: |2\n    one\n  WORD\n"],
  ["literal in a list", "- a: |-\n    one\n    b WORD\n"],
  ["folded", "a: >\n  one\n  two WORD\n\n  three\n"],
  ["folded with deeper lines", "a: >\n  one\n    two WORD x\n  three\n"],
  ["CRLF", "a: |\r\n  one\r\n  two WORD\r\n"],
  ["CRLF, folded", "a: >-\r\n  one\r\n  two WORD\r\n"],
])("finds the column in a %s text", (_name, text) => {
  const root = parseYaml(sourceFromText(text, "a.yaml"), new Diagnostics());
  const map = root?.kind === "list" ? root.items[0] : root;
  const node = map?.kind === "map" ? entry(map, "a") : undefined;
  if (node?.kind !== "scalar") throw new Error("no scalar");
  const at = atOffset(node, String(node.value).indexOf("WORD"), 4);
  const line = text.split(/\r?\n/)[at.line - 1] ?? "";
  expect(line.slice(at.column - 1, (at.endColumn ?? 0) - 1)).toBe("WORD");
});

it("stays at the whole text where an offset is no column", () => {
  const root = parseYaml(sourceFromText('a: "x\\ty WORD"\n', "a.yaml"), new Diagnostics());
  const node = root?.kind === "map" ? entry(root, "a") : undefined;
  if (node?.kind !== "scalar") throw new Error("no scalar");
  expect(atOffset(node, 4).column).toBe(node.column);
});
