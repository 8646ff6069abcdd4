import type { Json, JsonSchema } from "../contracts/json.ts";
import { isJsonList, isJsonObject } from "../spec/document/options-context.ts";

/** The entries of a map as far as they are written: each key with its value, where that is one word. */
export type Entries = ReadonlyMap<string, string | undefined>;

/** One step from the spec to a place inside: into the key of a map, or into a list. */
export type Step = { readonly key: string; readonly entries: Entries } | { readonly index: number };

const nothing: Entries = new Map();

/** Walks the JSON Schema of a spec along a path of it, taking the branches that the entries decide. */
export class SchemaWalk {
  readonly #root: JsonSchema;
  readonly #definitions: Readonly<Record<string, Json>>;
  readonly #known = new WeakMap<JsonSchema, readonly JsonSchema[]>();

  constructor(root: JsonSchema) {
    this.#root = root;
    this.#definitions = isJsonObject(root["$defs"]) ? root["$defs"] : {};
  }

  /** The schemas of the value at a place, references and branches not followed yet. */
  schemasAt(steps: readonly Step[]): readonly JsonSchema[] {
    return steps.reduce(
      (schemas, step) => unique(schemas.flatMap((schema) => this.#into(schema, step))),
      [this.#root] as readonly JsonSchema[],
    );
  }

  /** The object schemas of the map at a place: those that its entries fit, or all. */
  mapsAt(steps: readonly Step[], entries: Entries): readonly JsonSchema[] {
    return this.#maps(this.schemasAt(steps), entries);
  }

  /** A schema and everything that it offers as alternatives. */
  variants(schema: JsonSchema): readonly JsonSchema[] {
    return this.#expand(schema, nothing);
  }

  /** What a schema refers to, and the name of that definition. */
  target(schema: JsonSchema): JsonSchema | undefined {
    const name = this.targetName(schema);
    const found = name === undefined ? undefined : this.#definitions[name];
    return isJsonObject(found) ? found : undefined;
  }

  targetName(schema: JsonSchema): string | undefined {
    const reference = schema["$ref"];
    return typeof reference === "string" ? reference.replace("#/$defs/", "") : undefined;
  }

  #maps(schemas: readonly JsonSchema[], entries: Entries): readonly JsonSchema[] {
    const maps = schemas
      .flatMap((schema) => this.#expand(schema, entries))
      .filter((schema) => isJsonObject(schema["properties"]) || isOpen(schema));
    const fitting = maps.filter((map) => fits(map, entries));
    return unique(fitting.length > 0 ? fitting : maps);
  }

  #into(schema: JsonSchema, step: Step): readonly JsonSchema[] {
    if ("index" in step) {
      return this.variants(schema).flatMap(({ items }) => (isJsonObject(items) ? [items] : []));
    }
    return this.#maps([schema], step.entries).flatMap((map) => {
      const properties = isJsonObject(map["properties"]) ? map["properties"] : {};
      const known = Object.hasOwn(properties, step.key) ? properties[step.key] : undefined;
      const found = known ?? map["additionalProperties"];
      return isJsonObject(found) ? [found] : [];
    });
  }

  /** A schema with its alternatives, and those that the entries decide. */
  #expand(schema: JsonSchema, entries: Entries): readonly JsonSchema[] {
    const fixed = this.#alternatives(schema);
    const branches = fixed.flatMap((one) => branchOf(one, entries));
    if (branches.length === 0) return fixed;
    return [...fixed, ...branches.flatMap((branch) => this.#expand(branch, entries))];
  }

  /** What a schema offers whatever the entries are; worked out once. */
  #alternatives(schema: JsonSchema): readonly JsonSchema[] {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const found = new Set<JsonSchema>();
    const follow = (one: JsonSchema): void => {
      if (found.has(one)) return;
      found.add(one);
      const target = this.target(one);
      if (target !== undefined) follow(target);
      for (const key of ["anyOf", "allOf", "oneOf"]) listed(one[key]).forEach(follow);
    };
    follow(schema);
    const all = [...found];
    this.#known.set(schema, all);
    return all;
  }
}

function branchOf(schema: JsonSchema, entries: Entries): readonly JsonSchema[] {
  const condition = schema["if"];
  if (!isJsonObject(condition)) return [];
  const taken = schema[holds(condition, entries) ? "then" : "else"];
  return isJsonObject(taken) ? [taken] : [];
}

function listed(value: Json | undefined): readonly JsonSchema[] {
  return isJsonList(value) ? value.filter(isJsonObject) : [];
}

function isOpen(schema: JsonSchema): boolean {
  return isJsonObject(schema["additionalProperties"]);
}

function fits(map: JsonSchema, entries: Entries): boolean {
  const properties = isJsonObject(map["properties"]) ? map["properties"] : {};
  if (map["maxProperties"] === 1 && entries.size > 1) return false;
  return isOpen(map) || [...entries.keys()].every((key) => Object.hasOwn(properties, key));
}

/** Whether the condition of a branch holds: keys that are there, and words or beginnings that they have. */
function holds(condition: JsonSchema, entries: Entries): boolean {
  const required = isJsonList(condition["required"]) ? condition["required"] : [];
  if (!required.every((key) => entries.has(wordOf(key)))) return false;
  const properties = isJsonObject(condition["properties"]) ? condition["properties"] : {};
  return Object.entries(properties).every(([key, wanted]) => {
    const said = entries.get(key);
    if (!isJsonObject(wanted) || said === undefined) return false;
    const { const: word, pattern } = wanted;
    return word !== undefined ? word === said : new RegExp(wordOf(pattern ?? ""), "u").test(said);
  });
}

function unique(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return [...new Set(schemas)];
}

/** A plain value as a spec writes it. */
export function wordOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
