import type { Json, JsonSchema } from "../../contracts/json.ts";
import { didYouMean } from "./suggest.ts";

/** The static shape of a value that expressions and templates see. */
export type Shape = ShapeForm & { readonly nullable?: true };

type ShapeForm =
  | { readonly kind: "text" | "number" | "boolean" | "any" }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | { readonly kind: "list"; readonly of: Shape; readonly maxItems?: number }
  | { readonly kind: "map"; readonly of: Shape }
  | {
      readonly kind: "object";
      readonly fields: Readonly<Record<string, Shape>>;
      /** Names that other places see, and which do. */
      readonly elsewhere?: Readonly<Record<string, string>>;
    };

/** The shape of a map with known fields, such as the whole state view. */
export type ObjectShape = Extract<Shape, { kind: "object" }>;

/** What a path leads to, or why it leads nowhere. */
export type ResolvedShape =
  | { readonly ok: true; readonly shape: Shape }
  | { readonly ok: false; readonly message: string; readonly suggestion: string };

const deepestSchema = 32;
const anything: Shape = { kind: "any" };

/** Derives a shape from a JSON Schema; what it cannot express becomes `any`. */
export function shapeFromJsonSchema(schema: JsonSchema): Shape {
  return fromSchema(schema, 0);
}

/** Follows a dotted path like `results.ask.answered` or `plan.steps.0.objective` through a shape. */
export function resolveShape(shape: Shape, path: string): ResolvedShape {
  let current: Shape = shape;
  let isNullable = false;
  let walked = "";
  for (const name of path.split(".")) {
    const next = stepInto(current, name, walked);
    if (!next.ok) return next;
    current = next.shape;
    isNullable ||= current.nullable === true;
    walked = walked === "" ? name : `${walked}.${name}`;
  }
  return { ok: true, shape: isNullable ? asNullable(current) : current };
}

/** Looks up one name in a shape; `walked` is the path so far, for the message. */
export function stepInto(shape: Shape, name: string, walked: string): ResolvedShape {
  const owner = walked === "" ? "the state" : `\`${walked}\``;
  switch (shape.kind) {
    case "any":
      return { ok: true, shape: anything };
    case "map":
      return { ok: true, shape: shape.of };
    case "list":
      if (/^\d+$/.test(name)) return { ok: true, shape: shape.of };
      return {
        ok: false,
        message: `${owner} is a list and has no \`${name}\``,
        suggestion: `name an item by its index, like \`${walked}.0\`, or repeat over the list`,
      };
    case "object": {
      const found = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
      if (found !== undefined) return { ok: true, shape: found };
      const known = Object.keys(shape.fields);
      const seenBy = Object.hasOwn(shape.elsewhere ?? {}, name)
        ? shape.elsewhere?.[name]
        : undefined;
      const suggestion = seenBy ?? didYouMean(name, known) ?? listed(known, walked, name);
      const message =
        walked === "" ? `nothing here is called \`${name}\`` : `${owner} has no \`${name}\``;
      return { ok: false, message, suggestion };
    }
    default:
      return {
        ok: false,
        message: `${owner} is ${describeShape(shape)} and has no \`${name}\``,
        suggestion: `write \`${walked}\` alone`,
      };
  }
}

const mostListed = 16;

function listed(known: readonly string[], walked: string, name: string): string {
  if (known.length > 0) {
    const more = known.length > mostListed ? `, and ${known.length - mostListed} more` : "";
    return `known here: ${known.slice(0, mostListed).join(", ")}${more}`;
  }
  return walked === "inputs"
    ? `this spec declares no inputs; write \`inputs: { ${name}: string }\`, or its other type`
    : `nothing is known below \`${walked}\`; take \`.${name}\` away`;
}

/** Names a shape for a message, like `a list` or `one of pass, fail`. */
export function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return "text";
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    case "any":
      return "a value of unknown type";
    case "enum":
      return `one of ${shape.values.join(", ")}`;
    case "list":
      return "a list";
    default:
      return "a map";
  }
}

/** Returns the same shape, but possibly null. */
export function asNullable(shape: Shape): Shape {
  return shape.nullable === true ? shape : { ...shape, nullable: true };
}

function fromSchema(schema: Json | undefined, depth: number): Shape {
  if (!isObject(schema) || depth > deepestSchema) return anything;
  const choices = isArray(schema["anyOf"])
    ? schema["anyOf"]
    : isArray(schema["oneOf"])
      ? schema["oneOf"]
      : undefined;
  if (choices !== undefined) return fromChoices(choices, depth);
  if (isArray(schema["enum"])) return fromEnum(schema["enum"]);
  if (schema["const"] !== undefined) return fromEnum([schema["const"]]);
  const type = schema["type"];
  if (isArray(type)) {
    const others = type.filter((name) => name !== "null");
    const shape =
      others.length === 1 ? fromSchema({ ...schema, type: others[0] ?? "" }, depth) : anything;
    return others.length < type.length ? asNullable(shape) : shape;
  }
  return fromType(type, schema, depth);
}

function fromType(type: Json | undefined, schema: JsonSchema, depth: number): Shape {
  switch (type) {
    case "string":
      return { kind: "text" };
    case "number":
    case "integer":
      return { kind: "number" };
    case "boolean":
      return { kind: "boolean" };
    case "null":
      return { kind: "any", nullable: true };
    case "array":
      return fromArray(schema, depth);
    case "object":
      return fromObject(schema, depth);
    default:
      return anything;
  }
}

function fromArray(schema: JsonSchema, depth: number): Shape {
  const of = fromSchema(schema["items"], depth + 1);
  const most = schema["maxItems"];
  return typeof most === "number" ? { kind: "list", of, maxItems: most } : { kind: "list", of };
}

function fromObject(schema: JsonSchema, depth: number): Shape {
  const properties = schema["properties"];
  if (!isObject(properties))
    return { kind: "map", of: fromSchema(schema["additionalProperties"], depth + 1) };
  if (schema["additionalProperties"] !== false && schema["additionalProperties"] !== undefined)
    return anything;
  const required = new Set(isArray(schema["required"]) ? schema["required"] : []);
  const fields = Object.entries(properties).map(([name, property]): [string, Shape] => {
    const shape = fromSchema(property, depth + 1);
    const hasDefault = isObject(property) && property["default"] !== undefined;
    return [name, required.has(name) || hasDefault ? shape : asNullable(shape)];
  });
  return { kind: "object", fields: Object.fromEntries(fields) };
}

function fromChoices(choices: readonly Json[], depth: number): Shape {
  const others = choices.filter((choice) => !(isObject(choice) && choice["type"] === "null"));
  const shape = others.length === 1 ? fromSchema(others[0], depth + 1) : anything;
  return others.length < choices.length ? asNullable(shape) : shape;
}

function fromEnum(values: readonly Json[]): Shape {
  const others = values.filter((value) => value !== null);
  const texts = others.filter((value) => typeof value === "string");
  const isOnly = (type: string): boolean =>
    others.length > 0 && others.every((value) => typeof value === type);
  let shape: Shape = anything;
  if (isOnly("string")) shape = { kind: "enum", values: texts };
  else if (isOnly("number")) shape = { kind: "number" };
  else if (isOnly("boolean")) shape = { kind: "boolean" };
  return others.length < values.length ? asNullable(shape) : shape;
}

function isObject(value: Json | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
