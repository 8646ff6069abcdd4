import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type { PluginDefinition } from "../contracts/plugin-definition.ts";
import type { CompiledStage, Program } from "../program/program.ts";
import { isJsonList, isJsonObject } from "../spec/document/options-context.ts";
import { markerOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import { isOneSecret, shownAddress } from "./shown-address.ts";

/** What stands in place of a value that nobody may read. */
const hiddenText = "[secret]";

type Parts = Pick<Program, "models" | "tools" | "memories" | "sinks" | "stages" | "checks">;

/** The options of a plugin, and where a difference names them. */
interface Used {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly options: JsonObject;
}

/** The names of the options that the plugins of a program mark as secret. */
export function secretNames(parts: Parts): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { schema } of usedIn(parts)) addNames(schema, names);
  return names;
}

/** The names of the options that some plugins mark as secret. */
export function secretNamesOf(definitions: readonly PluginDefinition[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const definition of definitions)
    if (definition.kind !== "service") addNames(asJsonSchema(definition.options), names);
  return names;
}

/**
 * A canonical spec as it may be shown: no value of an option that is marked secret, no password in an address, and
 * `addresses` by what the spec says in their place.
 */
export function withoutSecrets(
  canonical: JsonObject,
  names: ReadonlySet<string>,
  addresses: ReadonlyMap<string, string>,
): JsonObject {
  const show = (value: Json, isOption: boolean): Json => {
    if (typeof value === "string")
      return isOption ? (addresses.get(value) ?? shownAddress(value)) : value;
    if (isJsonList(value)) return value.map((item) => show(item, isOption));
    if (!isJsonObject(value)) return value;
    return mapValues(value, (item, key) =>
      isOption && names.has(key) ? concealed(item) : show(item, isOption || key === "options"),
    );
  };
  return mapValues(canonical, (item, key) =>
    key === "inputs" || key === "task" ? item : show(item, false),
  );
}

/** Every hidden value of a program by its path; to compare, never to show. */
export function hiddenValues(program: Parts): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { path, schema, options } of usedIn(program)) {
    const names = new Set<string>();
    addNames(schema, names);
    const look = (value: Json, at: string, isHidden: boolean): void => {
      if (isJsonList(value))
        value.forEach((item, index) => look(item, `${at}[${index}]`, isHidden));
      else if (isJsonObject(value))
        for (const [key, item] of Object.entries(value))
          look(item, `${at}.${key}`, isHidden || names.has(key));
      else if (
        isHidden ? concealed(value) !== value : shownAddress(String(value)) !== String(value)
      )
        found.set(at, String(value));
    };
    look(options, path, false);
  }
  return found;
}

/** A value at a path of a spec as it may be shown; `names` are those of the plugins that are used. */
export function shownAt(value: Json, keys: readonly string[], names: ReadonlySet<string>): Json {
  if (isMarked(keys, names)) return concealed(value);
  if (isJsonList(value))
    return value.map((item, index) => shownAt(item, [...keys, String(index)], names));
  if (!isJsonObject(value)) return value;
  return mapValues(value, (item, key) => shownAt(item, [...keys, key], names));
}

// What was replaced or is not laid may belong to a plugin that the program does not use.
const usualNames = new Set(["apiKey", "headers", "authorization", "password", "token"]);
const listsOfNamed = new Set(["models", "tools", "memory", "sinks", "stages", "strategies"]);
const plainSections = new Set(["model", "strategy", "output"]);

function isMarked(keys: readonly string[], names: ReadonlySet<string>): boolean {
  const [section = "", ...inner] = keys[0] === "overlays" ? keys.slice(2) : keys;
  if (!plainSections.has(section) && !listsOfNamed.has(section)) return false;
  const options = listsOfNamed.has(section) ? inner.slice(1) : inner;
  return options.some((key) => names.has(key) || usualNames.has(key));
}

function concealed(value: Json): Json {
  if (isJsonList(value)) return value.map(concealed);
  if (isJsonObject(value)) return mapValues(value, concealed);
  return typeof value === "string" && isOneSecret(value) ? value : hiddenText;
}

function usedIn({ models, tools, memories, sinks, stages, checks }: Parts): readonly Used[] {
  const used = (
    path: string,
    { definition, options }: Pick<CompiledStage, "options"> & { definition: { options: unknown } },
  ): Used => ({ path, schema: asJsonSchema(definition.options as never), options });
  return [
    ...models.map((model) => used(`models.${model.role === "" ? model.id : model.role}`, model)),
    ...[...tools].map(([name, tool]) => used(`tools.${name}`, tool)),
    ...[...memories].map(([name, memory]) => used(`memory.${name}.options`, memory)),
    ...sinks.map((sink) => used(`sinks.${sink.name}.options`, sink)),
    ...[...stages].map(([id, stage]) => used(id, stage)),
    ...checks.map((check) => used(check.path, check)),
  ];
}

function addNames(schema: JsonSchema, names: Set<string>): void {
  const properties = schema["properties"];
  for (const [name, inner] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (!isJsonObject(inner)) continue;
    if (isSecretItself(inner)) names.add(name);
    else addNames(inner, names);
  }
  for (const inner of innerSchemas(schema)) addNames(inner, names);
}

function isSecretItself(schema: JsonSchema): boolean {
  return markerOf(schema)?.kind === "secret" || innerSchemas(schema).some(isSecretItself);
}

/** The schemas of what a value holds under no name of its own, and of its variants. */
function innerSchemas(schema: JsonSchema): readonly JsonSchema[] {
  const { items, additionalProperties, patternProperties, anyOf, oneOf } = schema;
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  const variants = [anyOf, oneOf].flatMap((list) => (isJsonList(list) ? list : []));
  return [items, additionalProperties, ...patterns, ...variants].filter(
    (inner): inner is JsonObject => isJsonObject(inner),
  );
}

function mapValues(value: JsonObject, change: (item: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item, key)]));
}
