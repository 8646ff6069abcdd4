import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Diagnostics } from "./diagnostic.ts";
import { readYaml } from "./parse-yaml.ts";
import { readBlock } from "./read-block.ts";
import { sourceFromText } from "./read-source.ts";
import { YamlMemory } from "./yaml-memory.ts";

const folder = new URL("../../../../../fixtures/gallery/", import.meta.url);
const gallery = readdirSync(folder)
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") }));

function read(text: string, memory?: YamlMemory): { node: unknown; found: readonly unknown[] } {
  const diagnostics = new Diagnostics();
  const { node } = readYaml(sourceFromText(text, "a.yaml"), diagnostics, memory);
  return { node, found: diagnostics.items };
}

function errorsIn(text: string): string[] {
  const diagnostics = new Diagnostics();
  readYaml(sourceFromText(text, "a.yaml"), diagnostics);
  return diagnostics.items.map(({ code, line, column }) => `${code} ${line}:${column}`);
}

function lostIn(text: string): string[] {
  return [...readYaml(sourceFromText(text, "a.yaml"), new Diagnostics()).lost];
}

describe("a file that is read block by block", () => {
  it.each(gallery)("comes to the same as $file read as a whole", ({ text }) => {
    const whole = readBlock({ file: "a.yaml", text, row: 0, counted: { values: 0 } });
    expect(read(text)).toEqual({ node: whole.node, found: [] });
  });

  it("tells a fault of each block", () => {
    const text = 'a: "x\nlist:\n  - b: 1\n  - [c\n  - d: 1\n    d: 2\ne: [f\ng: 1\n';
    expect(errorsIn(text)).toEqual([
      "LW-YAML-SYNTAX 1:4",
      "LW-YAML-SYNTAX 4:5",
      "LW-YAML-DUPLICATE-KEY 6:5",
      "LW-YAML-SYNTAX 7:4",
    ]);
    expect(lostIn(text)).toEqual(["a", "list", "e"]);
  });

  it("keeps the entries and items beside a fault, and their places", () => {
    const { node } = read("list:\n  - a: 1\n  - [b\n  - c: 3\nd: ~\ne: 5\n");
    expect(node).toMatchObject({ line: 1, column: 1 });
    const { entries } = node as { entries: Map<string, { value: Record<string, unknown> }> };
    expect([...entries.keys()]).toEqual(["list", "d", "e"]);
    const list = entries.get("list")?.value as { items: object[] } | undefined;
    const [first, second, third] = list?.items ?? [];
    expect(first).toMatchObject({ kind: "map", path: "list[0]", line: 2 });
    expect(second).toMatchObject({ isUnset: true, path: "list[1]", line: 3, column: 3 });
    expect(third).toMatchObject({ kind: "map", path: "list[2]", line: 4, column: 5 });
    expect(entries.get("d")?.value).toMatchObject({ isUnset: true, line: 5 });
  });

  it("says that any key may be lost where a line is no key", () => {
    expect(lostIn("a: 1\nmod\nb: 2\n")).toEqual(["*"]);
    expect(errorsIn("a: 1\nmod\nb: 2\n")).toEqual(["LW-YAML-INDENT 2:1"]);
  });

  it("finds a key twice in blocks apart", () => {
    expect(errorsIn("a: 1\nb: 2\na: 3\n")).toEqual(["LW-YAML-DUPLICATE-KEY 3:1"]);
  });

  it("counts the values of all blocks together", () => {
    const list = `[${Array(300).fill(1).join(", ")}]`;
    const text = Array.from({ length: 200 }, (_value, index) => `key-${index}: ${list}\n`).join("");
    const codes = errorsIn(text).map((found) => found.split(" ")[0]);
    expect(codes).toEqual(["LW-YAML-ALIAS-EXPANSION"]);
  });
});

describe("a file that is read again", () => {
  const line = fc.constantFrom(
    "  - direct",
    "  - react: { maxSteps: 3 }",
    "      id: x",
    "a: 1",
    "strategy:",
    "  x: |",
    "    some text",
    "# a comment",
    "",
    "- odd",
    'b: "open',
    "  - [c",
    "c: *d",
    "d: &d 1",
    "---",
  );
  const edit = fc.record({
    at: fc.nat(),
    removed: fc.nat(2),
    lines: fc.array(line, { maxLength: 2 }),
  });

  it("comes to the same as one that is read for the first time", () => {
    const property = fc.property(
      fc.constantFrom(...gallery),
      fc.array(edit, { minLength: 1, maxLength: 5 }),
      ({ text }, edits) => {
        const memory = new YamlMemory();
        let lines = text.split("\n");
        read(text, memory);
        for (const { at, removed, lines: added } of edits) {
          lines = lines.toSpliced(at % (lines.length + 1), removed, ...added);
          const edited = lines.join("\n");
          expect(read(edited, memory)).toEqual(read(edited));
        }
      },
    );
    fc.assert(property, { numRuns: 50 });
  });

  it("keeps the nodes of blocks that stand where they stood", () => {
    const memory = new YamlMemory();
    const at = (node: unknown, key: string): unknown =>
      (node as { entries: Map<string, { value: unknown }> }).entries.get(key)?.value;
    const before = read("a: { x: 1 }\nb: 2\n", memory).node;
    const after = read("a: { x: 1 }\nb: 3\n", memory).node;
    expect(at(after, "a")).toBe(at(before, "a"));
    expect(at(after, "b")).toMatchObject({ value: 3 });
  });
});
