import { type JsonSchema, MARKER } from "@loopwright/core/plugin";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

/** Compiles a schema as core does, so that what core refuses to load is found here; throws where it is not strict. */
export function compileStrictly(schema: unknown): ValidateFunction {
  const engine = new Ajv({
    strict: true,
    allErrors: true,
    discriminator: true,
    ownProperties: true,
    allowUnionTypes: true,
    logger: false,
  });
  engine.addKeyword(MARKER);
  return engine.compile(plain(schema));
}

/** Compiles a schema of the draft that it names, which may hold what the draft does not know; throws where it is broken. */
export function compileLoosely(schema: unknown): ValidateFunction {
  const plainSchema = plain(schema);
  const draft = plainSchema["$schema"];
  const isOld = typeof draft === "string" && draft.includes("draft-07");
  const options = { strict: false, logger: false } as const;
  return (isOld ? new Ajv(options) : new Ajv2020(options)).compile(plainSchema);
}

/** Where a value does not fit a schema; empty when it fits. */
export function misfitsOf(value: unknown, schema: unknown): readonly string[] {
  const validate = compileStrictly(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath === "" ? "the value" : instancePath} ${message}`,
  );
}

/** The places in a value that JSON can't hold: functions, dates, undefined, numbers without end. */
export function unlikeJson(value: unknown, place = "the value"): readonly string[] {
  if (value === null || typeof value === "string" || typeof value === "boolean") return [];
  if (typeof value === "number") return Number.isFinite(value) ? [] : [`${place} is ${value}`];
  if (typeof value !== "object") return [`${place} is of type ${typeof value}`];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => unlikeJson(item, `${place}[${index}]`));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return [`${place} is no plain object`];
  return Object.entries(value).flatMap(([key, item]) => unlikeJson(item, `${place}.${key}`));
}

/** The properties of an object schema, by name. */
export function propertiesOf(schema: unknown): Readonly<Record<string, JsonSchema>> {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, JsonSchema>> };
  return properties ?? {};
}

/** Options as core hands them over: what is given, and the schema's defaults for the rest. */
export function withDefaults(
  schema: unknown,
  given: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const defaults = Object.entries(propertiesOf(schema)).flatMap(([name, option]) =>
    option["default"] === undefined ? [] : [[name, option["default"]] as const],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

/** A copy without the symbols by which TypeBox knows its schemas. */
function plain(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}
