import type { Json, JsonObject, JsonSchema, ToolDescription } from "@loopwright/core/plugin";

/** The longest schema of one argument that is written out. */
const maxPartChars = 300;

/** The manuals of tools for a model that does not get them beside the messages: name, purpose, and each argument on a line. */
export function manualsOf(tools: readonly ToolDescription[]): string {
  return tools.map(manualOf).join("\n");
}

function manualOf({ name, description, input }: ToolDescription): string {
  const lines = argumentLines(input).map((line) => `    ${line}`);
  return [`- ${name}: ${description.trim().replaceAll(/\s*\n\s*/g, " ")}`, ...lines].join("\n");
}

function argumentLines(input: JsonSchema): readonly string[] {
  const properties = propertiesOf(input);
  if (Object.keys(properties).length === 0) return isOpen(input) ? [written(input)] : [];
  const required = requiredOf(input);
  return Object.entries(properties).map(
    ([name, schema]) => `"${name}"${required.includes(name) ? "" : "?"}: ${argumentText(schema)}`,
  );
}

/** A plain argument as type and purpose, any other as its schema. */
function argumentText(schema: Json): string {
  if (!isObject(schema)) return "any";
  const { type, enum: values, description } = schema;
  const told = typeof description === "string" ? ` (${description})` : "";
  if (Array.isArray(values))
    return `${values.map((value) => JSON.stringify(value)).join(" | ")}${told}`;
  const isPlain = typeof type === "string" && type !== "object" && type !== "array";
  return isPlain ? `${type}${told}` : written(schema);
}

/** The name of the only text that a tool takes, or the only one that it needs; undefined where there is more to say. */
export function loneText({ input }: ToolDescription): string | undefined {
  const properties = propertiesOf(input);
  const names = Object.keys(properties);
  const needed = names.filter((name) => requiredOf(input).includes(name));
  const lone = needed.length === 1 ? needed[0] : names.length === 1 ? names[0] : undefined;
  const schema = lone === undefined ? undefined : properties[lone];
  return isObject(schema) && schema["type"] === "string" ? lone : undefined;
}

function propertiesOf(input: JsonSchema): JsonObject {
  const { properties } = input;
  return isObject(properties) ? properties : {};
}

function requiredOf({ required }: JsonSchema): readonly Json[] {
  return Array.isArray(required) ? required : [];
}

/** True for a schema that says what it takes in another way than by properties. */
function isOpen(input: JsonSchema): boolean {
  return Object.keys(input).some(
    (keyword) => !["type", "properties", "required"].includes(keyword),
  );
}

function written(schema: Json): string {
  const text = JSON.stringify(schema);
  return text.length > maxPartChars ? `${text.slice(0, maxPartChars)}…` : text;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
