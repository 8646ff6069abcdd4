import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import { isAnnotation, isList, isObject } from "./dialects/schema-reading.ts";
import { type PromptPart, readPromptPart } from "./schema-prompt-part.ts";
import { itemsOf, noteOfPart, wordsOfPart } from "./schema-prompt-words.ts";
import type { SchemaWords } from "./schema-words.ts";

/** Lines, at most; a schema that has more is told by its example and its upper levels. */
const maxLines = 400;
const maxDepth = 12;

interface Writing {
  readonly root: JsonSchema;
  readonly lines: string[];
  /** Where each reference was told first. */
  readonly told: Map<string, string>;
  readonly words: SchemaWords;
}

/** Tells every field of a schema, one a line: its path, whether it must be there, what it may be, what it means. */
export function schemaLines(schema: JsonSchema, words: SchemaWords): readonly string[] {
  const told = new Map([["#", words.theWholeReply]]);
  const writing: Writing = { root: schema, lines: [], told, words };
  const part = readPromptPart(schema, schema, ["#"]);
  if (part.branches === undefined && isObject(part.schema["properties"])) {
    writing.lines.push(...wholeOf(part.schema, words));
    within(writing, part, "", 0);
  } else tell(writing, schema, words.theReply, "", ["#"], 0);
  const { lines } = writing;
  return lines.length > maxLines
    ? [...lines.slice(0, maxLines), words.moreLines(lines.length - maxLines)]
    : lines;
}

/** What holds for the whole of an object, unless it is no more than that it is one. */
function wholeOf(schema: JsonObject, words: SchemaWords): readonly string[] {
  const said = wordsOfPart(schema, words);
  return said === words.nouns["object"] ? [] : [`- ${words.theWhole}${words.colon}${said}`];
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
  const { words } = writing;
  const part = readPromptPart(writing.root, given, through);
  const note = noteOfPart(isObject(given) && noteOfPart(given) !== "" ? given : part.schema);
  const again = part.again ?? repeated(writing, given, part, through);
  if (again !== undefined) {
    const place = writing.told.get(again) ?? words.itsContainer;
    writing.lines.push(`- ${path}${words.colon}${presence}${words.sameShapeAs(place)}${note}`);
    return;
  }
  const [named] = isBareReference(given) ? part.through.slice(through.length) : [];
  if (named !== undefined && !writing.told.has(named)) writing.told.set(named, `\`${path}\``);
  if (part.branches !== undefined) return tellUnion(writing, part, path, presence, note, depth);
  const said = wordsOfPart(part.schema, words);
  writing.lines.push(`- ${path}${words.colon}${presence}${said}${note}`);
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
  const { words } = writing;
  const begin = `- ${path}${words.colon}${presence}`;
  const parts = branches.map((branch) => readPromptPart(writing.root, branch, through));
  const isPlain = parts.every((part) => isLeaf(part));
  if (isPlain) {
    const said = parts.map(({ schema }) => `${wordsOfPart(schema, words)}${noteOfPart(schema)}`);
    writing.lines.push(`${begin}${[...new Set(said)].join(words.orElse)}${note}`);
    return;
  }
  writing.lines.push(`${begin}${words.oneOfForms(branches.length)}${note}`);
  if (depth >= maxDepth) return;
  for (const [index, branch] of branches.entries())
    tell(writing, branch, `${path}${words.form(index + 1)}`, "", through, depth + 1);
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
  const { words } = writing;
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const required = isList(schema["required"]) ? schema["required"] : [];
  const fields = isObject(schema["properties"]) ? schema["properties"] : {};
  for (const [name, field] of Object.entries(fields)) {
    const presence = required.includes(name) ? words.required : words.optional;
    tell(writing, field, at(name), `${presence}${words.comma}`, through, depth + 1);
  }
  for (const name of required)
    if (typeof name === "string" && !Object.hasOwn(fields, name))
      writing.lines.push(`- ${at(name)}${words.colon}${words.required}`);
  const { patternProperties: patterns, additionalProperties: others } = schema;
  for (const [pattern, field] of Object.entries(isObject(patterns) ? patterns : {}))
    tell(writing, field, `${at("*")}${words.namesThatMatch(pattern)}`, "", through, depth + 1);
  if (isObject(others) && Object.keys(others).length > 0)
    tell(writing, others, `${at("*")}${words.anyOtherName}`, "", through, depth + 1);
  const { places, rest } = itemsOf(schema);
  for (const [index, place] of places.entries())
    tell(writing, place, `${path}[${index}]`, "", through, depth + 1);
  if (isObject(rest) && Object.keys(rest).length > 0)
    tell(
      writing,
      rest,
      `${path}[]`,
      `${places.length > 0 ? words.furtherItems : words.eachItem}${words.comma}`,
      through,
      depth + 1,
    );
}
