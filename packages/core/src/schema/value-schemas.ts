import type { JsonSchema } from "../contracts/json.ts";
import {
  exampleSchema,
  limitsSchema,
  toolLimitsSchema,
  outputSchema,
  repairCount,
  repairSchema,
} from "../spec/document/spec-schemas.ts";
import { describeKeys } from "./describe-keys.ts";
import { optionSchemas, requiredOptions } from "./option-schema.ts";
import {
  closedMap,
  CONDITION,
  listOf,
  mapOf,
  orSubstituted,
  patchable,
  PATH,
  reference,
  SUBSTITUTED,
  TEMPLATE,
  TEXT,
} from "./schema-forms.ts";

/** Definitions of a spec's plain parts: fields, output, limits, task, examples. */
export function valueSchemas(): Readonly<Record<string, JsonSchema>> {
  return {
    substituted: SUBSTITUTED,
    fields: orSubstituted(mapOf(reference("field"), { pattern: FIELD_NAME })),
    field: fieldSchema(),
    fieldType: { enum: TYPES.flatMap((type) => [type, `${type}?`]) },
    fieldSchema: fieldKeywords(),
    limits: limits(),
    toolLimits: limits(toolLimitsSchema),
    example: closedMap(
      describeKeys("example", optionSchemas(exampleSchema)),
      requiredOptions(exampleSchema),
    ),
    examples: orSubstituted(listOf(reference("example"))),
    task: task(false),
    "task.patch": task(true),
    output: output(true),
    "output.patch": output(false),
  };
}

function limits(of: JsonSchema = limitsSchema): JsonSchema {
  return orSubstituted(closedMap(describeKeys("limits", optionSchemas(of))));
}

function task(isPatch: boolean): JsonSchema {
  const constraint = closedMap(describeKeys("constraint", { text: TEMPLATE, rule: CONDITION }), [
    "text",
    "rule",
  ]);
  const constraints = orSubstituted(listOf({ anyOf: [TEMPLATE, constraint] }));
  const parts = { text: TEMPLATE, mission: TEMPLATE, deliverable: TEMPLATE, constraints };
  const keys = describeKeys("task", parts);
  return { anyOf: [TEMPLATE, closedMap(isPatch ? patchable(keys) : keys)] };
}

function output(isWhole: boolean): JsonSchema {
  const schema: JsonSchema = orSubstituted({
    type: "object",
    properties: { type: { const: "object" } },
    required: ["type"],
  });
  const keys = {
    fields: reference("fields"),
    schema,
    ...optionSchemas(outputSchema),
    repair: {
      ...orSubstituted(
        { type: "integer", minimum: 0, maximum: 5 },
        closedMap(describeKeys("repair", optionSchemas(repairSchema))),
      ),
      default: repairCount["default"] ?? 1,
    },
    deadLetter: PATH,
  };
  const described = describeKeys("output", keys);
  const map = closedMap(isWhole ? described : patchable(described));
  const isGiven = isWhole
    ? { oneOf: [{ required: ["fields"] }, { required: ["schema"] }] }
    : { not: { required: ["fields", "schema"] } };
  return orSubstituted({ ...map, ...isGiven });
}

const TYPES = ["string", "number", "integer", "boolean"] as const;
const FIELD_NAME = "^[\\p{L}_][\\p{L}\\p{N}_]{0,63}$";

const LISTED: JsonSchema = listOf(TEXT, { minItems: 1, uniqueItems: true });

function fieldSchema(): JsonSchema {
  return orSubstituted(reference("fieldType"), LISTED, reference("fieldSchema"));
}

/** JSON Schema in which types may be written in the short form of fields. */
function fieldKeywords(): JsonSchema {
  const count: JsonSchema = { type: "integer", minimum: 0 };
  const number: JsonSchema = { type: "number" };
  const sub = reference("field");
  const anything = Object.fromEntries(OTHER_KEYWORDS.map((key) => [key, {}]));
  const typed: Readonly<Record<string, JsonSchema>> = {
    type: {
      anyOf: [
        { enum: [...TYPES, "array", "object"].flatMap((type) => [type, `${type}?`]) },
        listOf({ enum: [...TYPES, "array", "object", "null"] }, { minItems: 1 }),
        reference("substituted"),
      ],
    },
    enum: LISTED,
    items: sub,
    properties: { type: "object", additionalProperties: sub },
    required: listOf(TEXT),
    description: TEXT,
    title: TEXT,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: number,
    minLength: count,
    maxLength: count,
    pattern: TEXT,
    format: TEXT,
    minItems: count,
    maxItems: count,
    uniqueItems: { type: "boolean" },
  };
  return { ...closedMap({ ...typed, ...anything }), minProperties: 1 };
}

const OTHER_KEYWORDS: readonly string[] = (
  "const default prefixItems additionalProperties contains minContains maxContains minProperties maxProperties " +
  "propertyNames patternProperties anyOf oneOf allOf not if then else $ref $defs $comment examples deprecated " +
  "readOnly writeOnly"
).split(" ");
