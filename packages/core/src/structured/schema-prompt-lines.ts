import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import { isAnnotation, isList, isObject } from "./dialects/schema-reading.ts";
import { type PromptPart, readPromptPart } from "./schema-prompt-part.ts";
import { itemsOf, noteOfPart, wordsOfPart } from "./schema-prompt-words.ts";

/** Lines, at most; a schema that has more is told by its example and its upper levels. */
const maxLines = 400;
const maxDepth = 12;

interface Writing {
  readonly root: JsonSchema;
  readonly lines: string[];
  /** Where each reference was told first. */
  readonly told: Map<string, string>;
}

/** Tells every field of a schema, one a line: its path, whether it must be there, what it may be, what it means. */
export function schemaLines(schema: JsonSchema): readonly string[] {
  const writing: Writing = { root: schema, lines: [], told: new Map([["#", "the whole reply"]]) };
  const part = readPromptPart(schema, schema, ["#"]);
  if (part.branches === undefined && isObject(part.schema["properties"])) {
    writing.lines.push(...wholeOf(part.schema));
    within(writing, part, "", 0);
  } else tell(writing, schema, "the reply", "", ["#"], 0);
  const { lines } = writing;
  return lines.length > maxLines
    ? [...lines.slice(0, maxLines), `- and ${lines.length - maxLines} more lines of this kind`]
    : lines;
}

/** What holds for the whole of an object, unless it is no more than that it is one. */
function wholeOf(schema: JsonObject): readonly string[] {
  const words = wordsOfPart(schema);
  return words === "object" ? [] : [`- the whole: ${words}`];
}

/** Tells one part, and the parts within it. */
function tell(
  writing: Writing,
  given: Json,
  path: string,
  presence: string,
  through: readonly string[],
  depth: number,
): void {
  if (writing.lines.length > maxLines * 4) return;
  if (given === false) return;
  const part = readPromptPart(writing.root, given, through);
  const note = noteOfPart(isObject(given) && noteOfPart(given) !== "" ? given : part.schema);
  const again = part.again ?? repeated(writing, given, part, through);
  if (again !== undefined) {
    const place = writing.told.get(again) ?? "what contains it";
    writing.lines.push(`- ${path}: ${presence}the same shape as ${place}${note}`);
    return;
  }
  const [named] = isBareReference(given) ? part.through.slice(through.length) : [];
  if (named !== undefined && !writing.told.has(named)) writing.told.set(named, `\`${path}\``);
  if (part.branches !== undefined) return tellUnion(writing, part, path, presence, note, depth);
  writing.lines.push(`- ${path}: ${presence}${wordsOfPart(part.schema)}${note}`);
  within(writing, part, path, depth);
}

/** A large part that was told elsewhere is not told again. */
function repeated(
  writing: Writing,
  given: Json,
  part: PromptPart,
  through: readonly string[],
): string | undefined {
  const [named] = part.through.slice(through.length);
  if (named === undefined || !isBareReference(given) || !writing.told.has(named)) return undefined;
  return isLeaf(part) ? undefined : named;
}

/** Tells whether a part says no more than what it refers to. */
function isBareReference(given: Json): boolean {
  if (!isObject(given) || given["$ref"] === undefined) return false;
  return Object.keys(given).every((keyword) => keyword === "$ref" || isAnnotation(keyword));
}

function tellUnion(
  writing: Writing,
  { branches = [], through }: PromptPart,
  path: string,
  presence: string,
  note: string,
  depth: number,
): void {
  const parts = branches.map((branch) => readPromptPart(writing.root, branch, through));
  const isPlain = parts.every((part) => isLeaf(part));
  if (isPlain) {
    const words = parts.map(({ schema }) => `${wordsOfPart(schema)}${noteOfPart(schema)}`);
    writing.lines.push(`- ${path}: ${presence}${[...new Set(words)].join("; or ")}${note}`);
    return;
  }
  writing.lines.push(`- ${path}: ${presence}one of ${branches.length} forms${note}`);
  if (depth >= maxDepth) return;
  for (const [index, branch] of branches.entries())
    tell(writing, branch, `${path} (form ${index + 1})`, "", through, depth + 1);
}

function isLeaf({ schema, branches, again }: PromptPart): boolean {
  if (branches !== undefined || again !== undefined) return false;
  return (
    !["properties", "patternProperties", "prefixItems", "items"].some((key) => schema[key]) &&
    !isObject(schema["additionalProperties"])
  );
}

/** Tells the fields of an object and the items of a list. */
function within(writing: Writing, part: PromptPart, path: string, depth: number): void {
  if (depth >= maxDepth) return;
  const { schema, through } = part;
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const required = isList(schema["required"]) ? schema["required"] : [];
  const fields = isObject(schema["properties"]) ? schema["properties"] : {};
  for (const [name, field] of Object.entries(fields)) {
    const presence = required.includes(name) ? "required, " : "optional, ";
    tell(writing, field, at(name), presence, through, depth + 1);
  }
  for (const name of required)
    if (typeof name === "string" && !Object.hasOwn(fields, name))
      writing.lines.push(`- ${at(name)}: required`);
  const { patternProperties: patterns, additionalProperties: others } = schema;
  for (const [pattern, field] of Object.entries(isObject(patterns) ? patterns : {}))
    tell(writing, field, `${at("*")} (names that match ${pattern})`, "", through, depth + 1);
  if (isObject(others) && Object.keys(others).length > 0)
    tell(writing, others, `${at("*")} (any other name)`, "", through, depth + 1);
  const { places, rest } = itemsOf(schema);
  for (const [index, place] of places.entries())
    tell(writing, place, `${path}[${index}]`, "", through, depth + 1);
  if (isObject(rest) && Object.keys(rest).length > 0)
    tell(
      writing,
      rest,
      `${path}[]`,
      places.length > 0 ? "further items, " : "each item, ",
      through,
      depth + 1,
    );
}
