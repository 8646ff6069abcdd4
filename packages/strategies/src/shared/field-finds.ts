import {
  definePrompt,
  faultOfPattern,
  type Json,
  type JsonObject,
  type JsonSchema,
  type Language,
  type OptionsProblem,
  parseStructured,
  type TSchema,
  Type,
  wordsIn,
} from "@loopwright/core/plugin";
import { apart, matchesOf, type PatternMatches } from "./pattern-matches.ts";
import { isSupported } from "./quoted-support.ts";

/** The patterns of a stage, by field. */
type Patterns = Readonly<Record<string, string | readonly string[]>>;

/** A field that is to be found. */
interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isOptional: boolean;
  readonly patterns: readonly string[];
}

/** What was found of a field, and by whom; without a value where nothing was. */
export interface FieldFind extends Field {
  readonly source: "pattern" | "model" | "none";
  readonly value?: Json;
  /** What patterns found that differs, or is not of the type of the field. */
  readonly candidates: readonly string[];
  /** Whether a match is too long to be taken from a pattern. */
  readonly isCut: boolean;
  /** Of a model's value: whether the words that it quotes stand in the text and hold the value. */
  readonly isQuoted?: boolean;
}

/** Patterns that can't be used, and those of no field. */
export function problemsOf(
  patterns: Patterns,
  output: JsonSchema | undefined,
): readonly OptionsProblem[] {
  const known = output === undefined ? undefined : Object.keys(propertiesOf(output));
  return Object.entries(patterns).flatMap(([name, said]): readonly OptionsProblem[] => {
    if (known !== undefined && !known.includes(name))
      return [
        {
          option: "patterns",
          message: `\`${name}\` is no field of the output, which has ${known.join(", ")}`,
          repair: `delete the pattern, or add \`${name}\` to the \`output\``,
        },
      ];
    return listOf(said).flatMap((pattern) => {
      const fault = faultOfPattern(pattern);
      if (fault === undefined) return [];
      const message = `the pattern of \`${name}\` ${fault.message}`;
      return [{ option: "patterns", message, repair: fault.suggestion }];
    });
  });
}

/** The fields of the output, or one of text for each pattern where none is declared. */
export function fieldsOf(patterns: Patterns, output: JsonSchema | undefined): readonly Field[] {
  const schemas: Readonly<Record<string, JsonSchema>> =
    output === undefined
      ? Object.fromEntries(Object.keys(patterns).map((name) => [name, { type: "string" }]))
      : propertiesOf(output);
  const required = output === undefined ? Object.keys(schemas) : output["required"];
  return Object.entries(schemas).map(([name, schema]) => ({
    name,
    schema,
    isOptional: !Array.isArray(required) || !required.includes(name),
    patterns: listOf((Object.hasOwn(patterns, name) ? patterns[name] : undefined) ?? []),
  }));
}

/** What the patterns find: a value where all their matches say the same, all of them in the order of the text where the field is a list. */
export function findFields(text: string, fields: readonly Field[]): readonly FieldFind[] {
  return fields.map((field) => {
    const read = matchesOf(field.patterns, text);
    const { isCut } = read;
    const said = saidOf(read, field.schema);
    const found = isCut ? undefined : typed(said, field.schema);
    return found === undefined
      ? { ...field, source: "none", candidates: [...new Set(said)], isCut }
      : { ...field, source: "pattern", value: found, candidates: [], isCut };
  });
}

/** What matches say: each place of the text for a list, each value once for anything else. */
function saidOf({ matches }: PatternMatches, schema: JsonSchema): readonly string[] {
  if (isList(schema)) return apart(matches).map(({ found }) => found);
  return [...new Set(matches.map(({ found }) => found))];
}

function isList(schema: JsonSchema): boolean {
  return [schema["type"]].flat().includes("array");
}

/** Matches as a value of the field; undefined where there is none, or several that differ. */
function typed(matches: readonly string[], schema: JsonSchema): Json | undefined {
  if (matches.length === 0) return undefined;
  if (!isList(schema) && matches.length > 1) return undefined;
  const properties = { found: schema };
  const read = parseStructured(JSON.stringify({ found: isList(schema) ? matches : matches[0] }), {
    schema: { type: "object", properties, required: ["found"], additionalProperties: false },
  });
  return read.ok ? ((read.value as JsonObject)["found"] ?? undefined) : undefined;
}

/** The fields that are asked of a model, one a line, each with what patterns found that differs or has another type. */
export function askedOf(language: Language, open: readonly FieldFind[]): string {
  return open
    .map(({ name, schema, candidates }) => {
      const { description } = schema;
      const about = typeof description === "string" ? `: ${description}` : "";
      const list = candidates.slice(0, mostShown).map((one) => JSON.stringify(shortened(one)));
      const seen = list.length === 0 ? "" : wordsIn(language, SEEN, { seen: list.join(" / ") });
      return `- ${name}${about}${seen}`;
    })
    .join("\n");
}

const mostShown = 5;
const longestShown = 200;

function shortened(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}

const SEEN = definePrompt({
  en: " (patterns fit these words of the text, of which one may be meant, or none: {{seen}})",
  zh: "（规则在文本中匹配到以下内容，其中可能有一个正确，也可能都不对：{{seen}}）",
});

/** The schema of what is still open, each field with the words of the text that it stands in. */
export function missingSchema(open: readonly FieldFind[]): TSchema {
  const entries = open.map(({ name, schema }) => {
    const value = Type.Unsafe<Json>({ anyOf: [schema, { type: "null" }] });
    const quote = Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "the exact words of the text that it stands in",
    });
    return [name, Type.Object({ value, quote })] as const;
  });
  return Type.Object(Object.fromEntries(entries));
}

/** A text with a mark before each of its lines: whatever it says, no line of it can look like one that is not. */
export function marked(text: string): string {
  return text
    .split(LINE_END)
    .map((line) => `${MARK}${line}`)
    .join("\n");
}

const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;
const MARK = "| ";

/** What a model found of the fields that were open, in the text that was marked. */
export function heardOf(
  open: readonly FieldFind[],
  said: JsonObject,
  text: string,
): readonly FieldFind[] {
  return open.map((find) => {
    const { value = null, quote = null } = (said[find.name] ?? {}) as JsonObject;
    if (value === null) return { ...find, source: "none" };
    const words = typeof quote === "string" ? quote.replaceAll(/^\| ?/gmu, "") : "";
    return { ...find, source: "model", value, isQuoted: isSupported(value, words, text) };
  });
}

function listOf(said: string | readonly string[]): readonly string[] {
  return typeof said === "string" ? [said] : said;
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
}
