import type { JsonObject, JsonSchema } from "../contracts/json.ts";
import { describeMisfits, misfits } from "../validation/json-validator.ts";

/** A tool call's arguments, read and fitting; or what the model must mend. */
export type ReadArguments =
  | { readonly ok: true; readonly input: JsonObject }
  | { readonly ok: false; readonly message: string };

const maxArgumentChars = 200_000;

/** Reads a model's argument text: one JSON object that fits the tool's schema; nothing is guessed. */
export function readArguments(text: string, schema: JsonSchema): ReadArguments {
  if (text.length > maxArgumentChars)
    return { ok: false, message: `the arguments are longer than ${maxArgumentChars} characters` };
  const trimmed = text.trim();
  const parsed = parse(trimmed === "" ? "{}" : trimmed);
  if (parsed === undefined) {
    return {
      ok: false,
      message: `the arguments are not one JSON object: ${shorten(trimmed)}; send one object, for instance ${JSON.stringify(shapeOf(schema))}`,
    };
  }
  const list = misfits(parsed, schema);
  if (list.length > 0)
    return { ok: false, message: `the arguments do not fit: ${describeMisfits(list)}` };
  return { ok: true, input: parsed };
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && !Object.hasOwn(value, "__proto__") ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function shapeOf(schema: JsonSchema): Record<string, string> {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [
      name,
      typeof part["type"] === "string" ? part["type"] : "value",
    ]),
  );
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
