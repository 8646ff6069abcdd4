import type { Json, JsonSchema } from "../contracts/json.ts";
import { misfits } from "../validation/json-validator.ts";

const maxRefs = 16;
const wrapped = new WeakMap<object, WeakMap<object, JsonSchema>>();

/** The types that a schema names; from its values where it names none. */
export function typesOf(schema: JsonSchema): readonly string[] | undefined {
  const type = schema["type"];
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type as readonly string[];
  const choices = choicesOf(schema);
  if (choices !== undefined) return [...new Set(choices.map(typeOfValue))];
  return undefined;
}

/** The values that a schema lists, or nothing where it lists none. */
export function choicesOf(schema: JsonSchema): readonly Json[] | undefined {
  if (Object.hasOwn(schema, "const")) return [schema["const"] ?? null];
  const list = schema["enum"];
  return Array.isArray(list) ? (list as readonly Json[]) : undefined;
}

/** The name of a value's type in a schema. */
export function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** A part of a schema as a schema, or nothing where it is a boolean or missing. */
export function asSchema(part: Json | undefined): JsonSchema | undefined {
  return typeof part === "object" && part !== null && !Array.isArray(part)
    ? (part as JsonSchema)
    : undefined;
}

/** The schema that a reference inside the same document means; itself where it is none. */
export function followRef(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let part = schema;
  for (let count = 0; count < maxRefs; count++) {
    const ref = part["$ref"];
    if (typeof ref !== "string" || !ref.startsWith("#")) return part;
    const target = atPointer(root, ref.slice(1));
    if (target === undefined) return part;
    const { $ref: _, ...rest } = part;
    if (Object.keys(rest).some((key) => key !== "description" && key !== "title")) return part;
    part = target;
  }
  return part;
}

function atPointer(root: JsonSchema, pointer: string): JsonSchema | undefined {
  let part: Json | undefined = root;
  for (const step of pointer.split("/").slice(1)) {
    const key = decodeStep(step);
    part =
      typeof part === "object" && part !== null && Object.hasOwn(part, key)
        ? (part as Readonly<Record<string, Json>>)[key]
        : undefined;
  }
  return asSchema(part);
}

function decodeStep(step: string): string {
  const text = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** True where a value fits one part of a schema. */
export function fitsPart(value: Json, part: JsonSchema, root: JsonSchema): boolean {
  try {
    return misfits(value, standalone(part, root)).length === 0;
  } catch {
    return false;
  }
}

/** A part of a schema that can be used alone; made once, so that its validator is compiled once. */
function standalone(part: JsonSchema, root: JsonSchema): JsonSchema {
  if (part === root || (root["$defs"] === undefined && root["definitions"] === undefined))
    return part;
  const known = wrapped.get(root) ?? new WeakMap<object, JsonSchema>();
  wrapped.set(root, known);
  const made = known.get(part) ?? {
    ...(root["$defs"] === undefined ? {} : { $defs: root["$defs"] }),
    ...(root["definitions"] === undefined ? {} : { definitions: root["definitions"] }),
    allOf: [part],
  };
  known.set(part, made);
  return made;
}
