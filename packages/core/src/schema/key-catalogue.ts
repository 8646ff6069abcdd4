import type { Json, JsonSchema } from "../contracts/json.ts";
import { isJsonList, isJsonObject } from "../spec/document/options-context.ts";
import type { NameKind } from "./schema-forms.ts";
import { typeText } from "./type-text.ts";
import { type Entries, SchemaWalk, type Step, wordOf } from "./schema-walk.ts";

export type { Entries, Step };

/** One key that may stand at a place. */
export interface KeyInfo {
  readonly key: string;
  readonly description: string;
  /** What its value is, in words. */
  readonly type: string;
  readonly default?: Json;
  readonly isRequired: boolean;
}

/** What a value may be. */
export interface ValueInfo {
  readonly description: string;
  readonly type: string;
  readonly default?: Json;
  /** The allowed words, and true or false. */
  readonly values: readonly { readonly value: string; readonly description: string }[];
  /** What the value names, where it is a name of something in the spec. */
  readonly names: readonly NameKind[];
  /** What the value gives a name to. */
  readonly defines: readonly NameKind[];
  /** Whether the text is an expression, a template, a path or the path of a spec. */
  readonly forms: ReadonlySet<"expression" | "template" | "path" | "spec">;
}

/** What may stand where in a spec, for completion and hover; derived from its JSON Schema. */
export interface KeyCatalogue {
  /** The keys of the map at a place that holds these entries already. */
  keysAt(steps: readonly Step[], entries: Entries): readonly KeyInfo[];
  /** What the keys of the map at a place name, where they are names of something in the spec. */
  keyNamesAt(steps: readonly Step[], entries: Entries): readonly NameKind[];
  /** What the keys of the map at a place give names to. */
  keyDefinitionsAt(steps: readonly Step[], entries: Entries): readonly NameKind[];
  /** What the value at a place may be. */
  valueAt(steps: readonly Step[]): ValueInfo;
}

/** Opens the catalogue of a schema that `specSchema` made. */
export function openKeyCatalogue(schema: JsonSchema): KeyCatalogue {
  const walk = new SchemaWalk(schema);
  const values = new WeakMap<JsonSchema, ValueInfo>();
  return {
    keysAt: (steps, entries) => keysOf(walk.mapsAt(steps, entries), walk),
    keyNamesAt: (steps, entries) =>
      walk.mapsAt(steps, entries).flatMap((map) => markedNames(map, "names")),
    keyDefinitionsAt: (steps, entries) =>
      walk.mapsAt(steps, entries).flatMap((map) => markedNames(map, "defines-keys")),
    valueAt: (steps) => {
      const schemas = walk.schemasAt(steps);
      const [first, second] = schemas;
      if (first === undefined || second !== undefined) return valueOf(schemas, walk);
      const known = values.get(first) ?? valueOf(schemas, walk);
      values.set(first, known);
      return known;
    },
  };
}

function keysOf(maps: readonly JsonSchema[], walk: SchemaWalk): readonly KeyInfo[] {
  const found = new Map<string, KeyInfo>();
  for (const map of maps) {
    const properties = isJsonObject(map["properties"]) ? map["properties"] : {};
    const required = isJsonList(map["required"]) ? map["required"] : [];
    for (const [key, value] of Object.entries(properties)) {
      if (!isJsonObject(value)) continue;
      const known = found.get(key);
      if (known === undefined || (known.description === "" && descriptionOf(value, walk) !== ""))
        found.set(key, keyInfo(key, value, required.includes(key), walk));
    }
  }
  return [...found.values()];
}

function keyInfo(key: string, schema: JsonSchema, isRequired: boolean, walk: SchemaWalk): KeyInfo {
  const standard = schema["default"];
  return {
    key,
    description: descriptionOf(schema, walk),
    type: typeText(schema, walk),
    ...(standard === undefined ? {} : { default: standard }),
    isRequired,
  };
}

function descriptionOf(schema: JsonSchema, walk: SchemaWalk): string {
  const { description } = schema;
  if (typeof description === "string") return description;
  const [first] = isJsonList(schema["anyOf"]) ? schema["anyOf"].filter(isJsonObject) : [];
  const inner = first?.["description"] ?? walk.target(schema)?.["description"];
  return typeof inner === "string" ? inner : "";
}

function valueOf(schemas: readonly JsonSchema[], walk: SchemaWalk): ValueInfo {
  const all = schemas.flatMap((schema) => walk.variants(schema));
  const [first = {}] = schemas;
  const standard = first["default"];
  return {
    description: descriptionOf(first, walk),
    type: typeText(first, walk),
    ...(standard === undefined ? {} : { default: standard }),
    values: [...wordsOf(all), ...mapWords(all, walk)],
    names: [...new Set(all.flatMap((schema) => markedNames(schema, "name")))],
    defines: all.flatMap((schema) => markedNames(schema, "defines")),
    forms: formsOf(all),
  };
}

function wordsOf(schemas: readonly JsonSchema[]): ValueInfo["values"] {
  const words = schemas.flatMap((schema) => {
    if (isJsonList(schema["enum"])) return schema["enum"].map(wordOf);
    if (schema["const"] !== undefined) return [wordOf(schema["const"])];
    return schema["type"] === "boolean" ? ["true", "false"] : [];
  });
  return [...new Set(words)].map((value) => ({ value, description: "" }));
}

// A stage, a check or a tool is one word, or a map with that word as its key: the map knows what it is.
function mapWords(schemas: readonly JsonSchema[], walk: SchemaWalk): ValueInfo["values"] {
  return schemas
    .filter((schema) => schema["maxProperties"] === 1 && isJsonObject(schema["properties"]))
    .flatMap((schema) => Object.entries(schema["properties"] as JsonSchema))
    .flatMap(([value, property]) =>
      isJsonObject(property) ? [{ value, description: descriptionOf(property, walk) }] : [],
    );
}

function markedNames(
  schema: JsonSchema,
  where: "name" | "names" | "defines" | "defines-keys",
): readonly NameKind[] {
  const marker = schema["x-loopwright"];
  return isJsonObject(marker) && marker["kind"] === where ? [marker["of"] as NameKind] : [];
}

const FORMS = ["expression", "template", "path", "spec"] as const;

function formsOf(schemas: readonly JsonSchema[]): ValueInfo["forms"] {
  const kinds = new Set(
    schemas.map((schema) => {
      const marker = schema["x-loopwright"];
      return isJsonObject(marker) ? marker["kind"] : undefined;
    }),
  );
  return new Set(FORMS.filter((form) => kinds.has(form)));
}
