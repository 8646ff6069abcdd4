import type { Json, JsonSchema } from "../../contracts/json.ts";
import type { Diagnostics } from "./diagnostic.ts";
import {
  toJson,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type SpecNode,
} from "./spec-node.ts";
import { didYouMean } from "./suggest.ts";

const typeNames: readonly string[] = ["string", "number", "integer", "boolean"];
const schemaTypeNames: readonly string[] = [...typeNames, "array", "object", "null"];
const otherNames: ReadonlyMap<string, string> = new Map([
  ["text", "string"],
  ["str", "string"],
  ["int", "integer"],
  ["float", "number"],
  ["double", "number"],
  ["decimal", "number"],
  ["bool", "boolean"],
  ["date", "string"],
  ["array", "{ type: array, items: string }"],
  ["list", "{ type: array, items: string }"],
  ["object", "{ type: object, properties: { name: string } }"],
  ["map", "{ type: object, properties: { name: string } }"],
]);
const keywords: ReadonlySet<string> = new Set(
  (
    "type enum const items prefixItems properties required additionalProperties description title default " +
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format " +
    "minItems maxItems uniqueItems contains minContains maxContains minProperties maxProperties propertyNames " +
    "patternProperties anyOf oneOf allOf not if then else $ref $defs $comment examples deprecated readOnly writeOnly"
  ).split(" "),
);

/** Reads `string`, `integer?` and the like; undefined when it is no type, which is reported. */
export function namedType(
  node: ScalarNode,
  diagnostics: Diagnostics,
): { readonly schema: JsonSchema; readonly optional: boolean } | undefined {
  const written = node.text;
  const optional = written.endsWith("?");
  const name = optional ? written.slice(0, -1) : written;
  if (typeof node.value === "string" && typeNames.includes(name))
    return { schema: { type: optional ? [name, "null"] : name }, optional };
  const other = otherNames.get(name.toLowerCase());
  const plainOther =
    other !== undefined && !other.startsWith("{") ? `${other}${optional ? "?" : ""}` : other;
  const suggestion =
    plainOther === undefined
      ? (didYouMean(name, typeNames) ??
        `types are ${typeNames.join(", ")}, each with ? when it may be null`)
      : `write \`${plainOther}\``;
  diagnostics.error("LW-VALUE-FIELD-TYPE", node, `\`${written}\` is no type`, suggestion);
  return undefined;
}

/** Reads a list of allowed texts; undefined when it is none, which is reported. */
export function enumValues(
  node: ListNode,
  diagnostics: Diagnostics,
): readonly string[] | undefined {
  const values: string[] = [];
  let isComplete = node.items.length > 0;
  if (!isComplete)
    diagnostics.error(
      "LW-VALUE-ENUM",
      node,
      "the list of allowed values is empty",
      "write the values, like [low, high]",
    );
  for (const item of node.items) {
    if (item.kind === "scalar" && typeof item.value === "string" && !values.includes(item.value)) {
      values.push(item.value);
      continue;
    }
    isComplete = false;
    if (item.kind !== "scalar")
      diagnostics.error(
        "LW-VALUE-ENUM",
        item,
        "an allowed value must be text",
        "write the values, like [low, high]",
      );
    else if (typeof item.value === "string")
      diagnostics.error(
        "LW-VALUE-ENUM",
        item,
        `\`${item.value}\` is listed twice`,
        "delete one of the two",
      );
    else
      diagnostics.error(
        "LW-VALUE-ENUM",
        item,
        `an allowed value must be text, but \`${item.text}\` is a ${typeof item.value}`,
        `quote it: "${item.text}"`,
      );
  }
  return isComplete ? values : undefined;
}

/** Reads a JSON Schema in which types may be written in the shorthand of fields; undefined when it is malformed, which is reported. */
export function schemaOf(node: MapNode, diagnostics: Diagnostics): JsonSchema | undefined {
  const result: [string, Json][] = [];
  let isComplete = node.entries.size > 0;
  if (!isComplete)
    diagnostics.error(
      "LW-VALUE-SCHEMA",
      node,
      "the schema is empty",
      "write a type, like `string`",
    );
  for (const [name, { key, value }] of node.entries) {
    if (!keywords.has(name)) {
      isComplete = false;
      const isFieldLike = !node.entries.has("type");
      const nested = isFieldLike
        ? "nested fields stand under `properties` of { type: object, properties: … }"
        : undefined;
      diagnostics.error(
        "LW-VALUE-SCHEMA",
        key,
        `\`${name}\` is no keyword of JSON Schema`,
        didYouMean(name, keywords) ?? nested,
      );
      continue;
    }
    const read = keywordValue(name, value, diagnostics);
    if (read === undefined) isComplete = false;
    else result.push(...read);
  }
  if (!isComplete) return undefined;
  return closed(Object.fromEntries(result));
}

function keywordValue(
  name: string,
  value: SpecNode,
  diagnostics: Diagnostics,
): readonly [string, Json][] | undefined {
  switch (name) {
    case "type":
      return typeKeyword(value, diagnostics);
    case "enum": {
      const values = value.kind === "list" ? enumValues(value, diagnostics) : undefined;
      if (value.kind !== "list")
        diagnostics.error("LW-VALUE-ENUM", value, "`enum` is a list of texts", "write [low, high]");
      return values === undefined ? undefined : [["enum", values]];
    }
    case "items": {
      const schema = subSchema(value, diagnostics);
      return schema === undefined ? undefined : [["items", schema]];
    }
    case "properties":
      return propertiesKeyword(value, diagnostics);
    default:
      return [[name, toJson(value)]];
  }
}

function typeKeyword(
  value: SpecNode,
  diagnostics: Diagnostics,
): readonly [string, Json][] | undefined {
  if (value.kind === "list") {
    const names = value.items.map(toJson);
    if (
      names.length > 0 &&
      names.every((name) => typeof name === "string" && schemaTypeNames.includes(name))
    )
      return [["type", names]];
    diagnostics.error(
      "LW-VALUE-FIELD-TYPE",
      value,
      `a list of types holds ${schemaTypeNames.join(", ")}`,
      'write `string?`, or [string, "null"]',
    );
    return undefined;
  }
  if (value.kind === "map") {
    diagnostics.error(
      "LW-VALUE-FIELD-TYPE",
      value,
      "`type` is a name",
      `types are ${schemaTypeNames.join(", ")}`,
    );
    return undefined;
  }
  const structural = /^(array|object)(\?)?$/.exec(value.text);
  if (structural?.[1] !== undefined)
    return [["type", structural[2] === undefined ? structural[1] : [structural[1], "null"]]];
  const type = namedType(value, diagnostics);
  return type?.schema["type"] === undefined ? undefined : [["type", type.schema["type"]]];
}

function propertiesKeyword(
  value: SpecNode,
  diagnostics: Diagnostics,
): readonly [string, Json][] | undefined {
  if (value.kind !== "map") {
    diagnostics.error(
      "LW-VALUE-SCHEMA",
      value,
      "`properties` is a map of names to types",
      "write `properties: { NAME: string }`",
    );
    return undefined;
  }
  const properties: [string, Json][] = [];
  for (const [name, property] of value.entries) {
    const schema = subSchema(property.value, diagnostics);
    if (schema !== undefined) properties.push([name, schema]);
  }
  return properties.length === value.entries.size
    ? [["properties", Object.fromEntries(properties)]]
    : undefined;
}

function subSchema(node: SpecNode, diagnostics: Diagnostics): JsonSchema | undefined {
  if (node.kind === "map") return schemaOf(node, diagnostics);
  if (node.kind === "scalar") return namedType(node, diagnostics)?.schema;
  const values = enumValues(node, diagnostics);
  return values === undefined ? undefined : { type: "string", enum: values };
}

// Fields are closed and all required, at every depth, unless the schema itself says otherwise.
function closed(schema: JsonSchema): JsonSchema {
  const properties = schema["properties"];
  const withType =
    schema["enum"] !== undefined && schema["type"] === undefined
      ? { type: "string", ...schema }
      : schema;
  if (typeof properties !== "object" || properties === null) return withNullInEnum(withType);
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(properties),
    ...withType,
  };
}

// `{ type: string?, enum: [a, b] }` allows null only when the enumeration lists it as well.
function withNullInEnum(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  const isNullable = Array.isArray(type) && type.includes("null");
  return isNullable && Array.isArray(values)
    ? { ...schema, enum: [...(values as readonly Json[]), null] }
    : schema;
}
