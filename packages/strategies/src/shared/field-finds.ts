import {
  faultOfPattern,
  type Json,
  type JsonObject,
  type JsonSchema,
  type OptionsProblem,
  parseStructured,
  type TSchema,
  Type,
} from "@loopwright/core/plugin";

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

/** What the patterns find: a value where all their matches say the same, all of them where the field is a list. */
export function findFields(text: string, fields: readonly Field[]): readonly FieldFind[] {
  return fields.map((field) => {
    const matches = [...new Set(field.patterns.flatMap((pattern) => matchesOf(pattern, text)))];
    const found = typed(matches, field.schema);
    return found === undefined
      ? { ...field, source: "none", candidates: matches }
      : { ...field, source: "pattern", value: found, candidates: [] };
  });
}

/** The matches in every line; one that would go on into the next line is none. */
function matchesOf(pattern: string, text: string): readonly string[] {
  const expression = new RegExp(pattern, "gu");
  return (text.match(LINE) ?? [])
    .flatMap((line) => [...line.matchAll(expression)])
    .map((match) => (match.slice(1).find((group) => group !== undefined) ?? match[0]).trim())
    .filter((match) => match !== "");
}

// A pattern may take time in proportion to the square of what it is held to.
const LINE = /[^\r\n]{1,4000}/gu;

/** Matches as a value of the field; undefined where there is none, or several that differ. */
function typed(matches: readonly string[], schema: JsonSchema): Json | undefined {
  if (matches.length === 0) return undefined;
  const isList = [schema["type"]].flat().includes("array");
  if (!isList && matches.length > 1) return undefined;
  const properties = { found: schema };
  const read = parseStructured(JSON.stringify({ found: isList ? matches : matches[0] }), {
    schema: { type: "object", properties, required: ["found"], additionalProperties: false },
  });
  return read.ok ? ((read.value as JsonObject)["found"] ?? undefined) : undefined;
}

/** The fields that are asked of a model, one a line, each with what patterns found that differs. */
export function askedOf(open: readonly FieldFind[]): string {
  return open
    .map(({ name, schema, candidates }) => {
      const { description } = schema;
      const about = typeof description === "string" ? `: ${description}` : "";
      const seen = candidates.slice(0, 5).map((one) => JSON.stringify(one));
      return `- ${name}${about}${seen.length === 0 ? "" : ` (${seen.join(" / ")}?)`}`;
    })
    .join("\n");
}

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

/** What a model found of the fields that were open. */
export function heardOf(
  open: readonly FieldFind[],
  said: JsonObject,
  text: string,
): readonly FieldFind[] {
  return open.map((find) => {
    const { value = null, quote = null } = (said[find.name] ?? {}) as JsonObject;
    if (value === null) return { ...find, source: "none" };
    return { ...find, source: "model", value, isQuoted: isSupported(value, quote, text) };
  });
}

/** Whether the quoted words stand in the text, and a value that is one text or number stands in them. */
function isSupported(value: Json, quote: Json, text: string): boolean {
  if (typeof quote !== "string" || fold(quote) === "") return false;
  if (!fold(text).includes(fold(quote))) return false;
  if (typeof value === "string") return fold(quote).includes(fold(value));
  if (typeof value === "number")
    return quote.replaceAll(/(?<=\d)[, ](?=\d{3})/g, "").includes(String(value));
  return true;
}

/** Text without differences of space alone. */
function fold(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

function listOf(said: string | readonly string[]): readonly string[] {
  return typeof said === "string" ? [said] : said;
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
}
