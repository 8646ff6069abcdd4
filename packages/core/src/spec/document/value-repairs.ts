import type { Json, JsonSchema } from "../../contracts/json.ts";
import type { SpecNode } from "../text/spec-node.ts";
import { exampleNumber } from "./example-value.ts";
import { labelOf, textOf, writeInstead } from "./node-text.ts";

/** The repair of a list or map where text belongs: the only text inside it, or the whole item in quotes. */
export function textRepair(node: SpecNode): string {
  const parts =
    node.kind === "list"
      ? node.items.map((value) => ({ key: undefined, value }))
      : node.kind === "map"
        ? [...node.entries.values()].map(({ key, value }) => ({ key: key.text, value }))
        : [];
  const [only, other] = parts;
  const text = other === undefined ? textOf(only?.value) : undefined;
  if (text === undefined || text.length > 60 || text.includes("\n"))
    return writeInstead(node, '"..."');
  const isItem = labelOf(node).endsWith("]");
  return only?.key !== undefined && isItem
    ? `if the colon belongs to the text, quote it: "${only.key}: ${text}"`
    : writeInstead(node, JSON.stringify(text));
}

/** The repair of what is no number: the number that it begins with, or one that would do. */
export function numberRepair(node: SpecNode, schema: JsonSchema): string {
  const text = node.kind === "scalar" ? String(node.value).trim() : "";
  const isWhole = schema["type"] === "integer";
  const begun = (isWhole ? /^-?\d{1,15}/ : /^-?\d{1,15}(?:\.\d{1,6})?/).exec(text)?.[0];
  const least = Number(schema["exclusiveMinimum"] ?? Number.NEGATIVE_INFINITY);
  if (begun !== undefined && Number(begun) > least) return writeInstead(node, begun);
  const what = isWhole ? "a whole number" : "a number";
  return writeInstead(node, String(exampleNumber(schema))).replace("write", `write ${what}, like`);
}

/** The repair of a fraction where a whole number belongs: the whole numbers beside it. */
export function wholeRepair(node: SpecNode, value: number, schema: JsonSchema): string {
  const { minimum } = schema as Readonly<Record<"minimum", Json | undefined>>;
  const below = Math.floor(value);
  const above = writeInstead(node, String(below + 1));
  return typeof minimum === "number" && below < minimum
    ? above
    : `${writeInstead(node, String(below))} or ${above.replace("write ", "")}`;
}

/** The repair of a number outside a bound of its schema, given the bound as the spec would write it. */
export function rangeRepair(node: SpecNode, key: string, bound: string): string {
  const atBound = writeInstead(node, bound);
  switch (key) {
    case "minimum":
      return `${atBound} or more`;
    case "maximum":
      return `${atBound} or less`;
    case "exclusiveMinimum":
      return `write more than ${bound === "0ms" ? `0, like \`${labelOf(node)}: 5s\`` : bound}`;
    case "exclusiveMaximum":
      return `write less than ${bound}`;
    default:
      return `write ${bound} or a multiple of it`;
  }
}

/** The repair of a value that is none of those allowed and near to none. */
export function choiceRepair(node: SpecNode, names: readonly string[]): string | undefined {
  const [first, second, ...more] = names.map((name) => writeInstead(node, name));
  if (first === undefined) return undefined;
  if (second === undefined) return first;
  return more.length === 0
    ? `${first} or ${second.replace("write ", "")}`
    : first.replace("write", "write one of them, like");
}
