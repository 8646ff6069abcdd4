import { describe, expect, it } from "vitest";
import { Diagnostics } from "./diagnostic.ts";
import { compileExpression } from "./expression.ts";
import { parseYaml } from "./parse-yaml.ts";
import { sourceFromText } from "./read-source.ts";
import { didYouMean } from "./suggest.ts";

function find(text: string): readonly (readonly [string, string | undefined])[] {
  const diagnostics = new Diagnostics();
  parseYaml(sourceFromText(text, "a.yaml"), diagnostics);
  return diagnostics.items.map(({ code, line, column, suggestion }) => [
    `${code} ${line}:${column}`,
    suggestion,
  ]);
}

describe("characters that stand for syntax", () => {
  it.each([
    ["name：order-desk\n", "1:5", "write `name: order-desk`, or quote the text"],
    ["a: 1\nname：x\nb: 2\n", "2:5", "write `name: x`, or quote the text"],
    ["- react:\n    maxSteps：6\n", "2:13", "write `maxSteps: 6`, or quote the text"],
    ["a: { maxSteps：6, b: 1 }\n", "1:14", "write `maxSteps: 6`, or quote the text"],
    ["a: [one，two]\n", "1:8", "write `one, two`, or quote the text"],
    ["a: { b: 6， c: 2 }\n", "1:10", "write `6, c`, or quote the text"],
    ["tools:\n  – read-file\n", "2:3", "write `- `, or quote the text"],
    ["• read-file\n", "1:1", "write `- `, or quote the text"],
    ["tools: ［a］\n", "1:8", "write `[`, or quote the text"],
    [
      "a: “order desk”\n",
      "1:4",
      "write `\"order desk\"`; if the quotes belong to the text, put it in '…'",
    ],
    ["a: ‘x’\n", "1:4", "write `\"x\"`; if the quotes belong to the text, put it in '…'"],
  ])("refuses %j", (text, place, suggestion) => {
    expect(find(text)).toEqual([[`LW-YAML-LOOK-ALIKE ${place}`, suggestion]]);
  });
});

describe("keys, ids and numbers", () => {
  it.each([
    ["nаme: x\n", "1:2", "write `name`"],
    ["max–steps: 1\n", "1:4", "write `max-steps`"],
    ["“name”: x\n", "1:1", 'write `"name"`'],
    ["a: { ｎame: x }\n", "1:6", "write `name`"],
    ["strategy: reаct\n", "1:13", "write `react`, or quote the text"],
    ["- plan–and-solve\n", "1:7", "write `plan-and-solve`, or quote the text"],
    ["model: openai/gрt-4\n", "1:16", "write `openai/gpt-4`, or quote the text"],
    ["maxSteps: ６\n", "1:11", "write `6`, or quote the text"],
    ["timeout: ５s\n", "1:10", "write `5s`, or quote the text"],
  ])("refuses %j", (text, place, suggestion) => {
    expect(find(text)).toEqual([[`LW-YAML-LOOK-ALIKE ${place}`, suggestion]]);
  });

  it("asks for the near name where a name is foreign throughout", () => {
    expect(didYouMean("осу", ["ocy", "abc"])).toBe("did you mean `ocy`?");
  });
});

it.each([
  "text: 注意：不要，也不要；“引用”\n",
  "a: { text: p0：24小时, b: 1 }\n",
  "text:\n  P0：24小时内\n",
  "text: [不要撒谎，也不要猜, 好的]\n",
  "text: He said “no” – twice.\n",
  "text: 10–20 items\n",
  "# – “comment” ：，\na: 1\n",
  "a: '“quoted”'\n",
  'a: "reаct"\n',
  "inputs: { город: string, 城市: string }\n",
  "glossary: { αοb: x }\n",
  "text: |\n  name：x\n  – item\n",
  "text: naïve—café\n",
  "text: μSv\n",
  "a: Иван\n",
  "text: Das ist “so”, sagt er\n",
])("leaves %j alone", (text) => {
  expect(find(text)).toEqual([]);
});

it("names a look-alike in an expression", () => {
  const shape = { kind: "object", fields: { a: { kind: "text" } } } as const;
  expect(compileExpression("a == ‘x’", shape, "bool")).toMatchObject({
    code: "LW-YAML-LOOK-ALIKE",
    offset: 5,
    suggestion: "write `'`",
  });
  expect(compileExpression("a == 'x' ＆＆ true", shape, "bool")).toMatchObject({
    code: "LW-YAML-LOOK-ALIKE",
    offset: 9,
    suggestion: "write `&`",
  });
});
