import type { Json, JsonSchema } from "../contracts/json.ts";
import { MARKER } from "../contracts/schema.ts";

/** A definition that others refer to by its name under `$defs`. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` };
}

/** The name under `$defs` of what a plugin adds; a dot stands for the slash of its id. */
export function definitionName(kind: string, id: string): string {
  return `${kind}.${id.replaceAll("/", ".")}`;
}

/** The whole value comes from a variable or a file, and is read by the type of its place. */
export const SUBSTITUTED: JsonSchema = {
  type: "string",
  pattern: "^\\$\\{(env|file):[^}]+\\}$",
};

/** A schema, or a substitution in its place; the description and the default stay outside. */
export function orSubstituted(...variants: readonly JsonSchema[]): JsonSchema {
  return { anyOf: [...variants, reference("substituted")] };
}

/** An object with these keys and no others. */
export function closedMap(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required: [...required] }),
    additionalProperties: false,
  };
}

/** A list of something. */
export function listOf(items: JsonSchema, more: Readonly<Record<string, Json>> = {}): JsonSchema {
  return { type: "array", items, ...more };
}

/** A map from the author's own names to something. */
export function mapOf(value: JsonSchema, names: Json = {}): JsonSchema {
  return { type: "object", propertyNames: names, additionalProperties: value };
}

/** A schema whose values, or keys, are names of something in the spec, which editors complete, or give names to it. */
export function named(
  schema: JsonSchema,
  of: NameKind,
  where: "value" | "keys" | "definition" | "definitions" = "value",
): JsonSchema {
  return { ...schema, [MARKER]: { kind: MARKS[where], of } };
}

const MARKS = {
  value: "name",
  keys: "names",
  definition: "defines",
  definitions: "defines-keys",
} as const;

/** What a name in a spec may name, as far as a schema knows it. */
export type NameKind =
  | "model"
  | "role"
  | "tool"
  | "stage"
  | "strategy"
  | "memory"
  | "sink"
  | "branch";

/** A schema with its description. */
export function described(description: string, schema: JsonSchema): JsonSchema {
  return { description, ...schema };
}

/** Text. */
export const TEXT: JsonSchema = { type: "string" };

/** Text with `{{ path }}`. */
export const TEMPLATE: JsonSchema = { type: "string", [MARKER]: { kind: "template" } };

/** A CEL expression that is true or false; the words alone are expressions too. */
export const CONDITION: JsonSchema = {
  type: ["string", "boolean"],
  [MARKER]: { kind: "expression", result: "bool" },
};

/** A path, relative to the file that says it. */
export const PATH: JsonSchema = { type: "string", [MARKER]: { kind: "path" } };

/** A kebab-case name. */
export const KEBAB: JsonSchema = { type: "string", pattern: "^[a-z][a-z0-9]*(-[a-z0-9]+)*$" };

/** True or false. */
export const BOOLEAN: JsonSchema = orSubstituted({ type: "boolean" });

/** What holds where a condition holds, and where it does not. */
export function conditional(
  condition: JsonSchema,
  consequence: JsonSchema,
  alternative?: JsonSchema,
): JsonSchema {
  return {
    if: condition,
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: consequence,
    ...(alternative === undefined ? {} : { else: alternative }),
  };
}

/** One of these words; nothing where there is none. */
export function oneOfWords(words: readonly string[]): JsonSchema {
  return words.length === 0 ? { not: {} } : { enum: [...words] };
}

/** The keys of a patch: each, and for lists and maps also what is added (`key+`) and what is taken out (`key-`). */
export function patchable(
  properties: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  const more = Object.entries(properties)
    .filter(([, schema]) => isStructured(schema))
    .flatMap(([key, schema]) => [
      [`${key}+`, schema] as const,
      [`${key}-`, orSubstituted(listOf(TEXT))] as const,
    ]);
  return { ...properties, ...Object.fromEntries(more) };
}

function isStructured(schema: JsonSchema): boolean {
  const { type, $ref, anyOf } = schema;
  if (type === "array" || type === "object") return true;
  if ($ref !== undefined) return $ref !== "#/$defs/substituted";
  return Array.isArray(anyOf) && (anyOf as readonly JsonSchema[]).some(isStructured);
}
