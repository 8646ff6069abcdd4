import type { JsonObject } from "../contracts/json.ts";
import { textOfPattern } from "./schema-prompt-pattern.ts";

const ofFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T09:30:00Z",
  date: "2026-01-31",
  time: "09:30:00Z",
  duration: "P1D",
  email: "name@example.org",
  hostname: "example.org",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.org/",
  "uri-reference": "/path",
  uuid: "00000000-0000-4000-8000-000000000000",
};

const longest = 2_000;

/** Makes a text after its pattern, format and length. */
export function exampleText(schema: JsonObject, turn: number): string | undefined {
  const { pattern, format, minLength, maxLength } = schema;
  const least = typeof minLength === "number" ? minLength : 0;
  const most = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
  if (least > longest) return undefined;
  if (typeof pattern === "string") return textOfPattern(pattern);
  const known = typeof format === "string" ? ofFormat[format] : undefined;
  if (known !== undefined && turn === 0) return known;
  const text = turn === 0 ? "text" : `text ${turn + 1}`;
  if (text.length <= most) return text.padEnd(least, ".");
  return turn === 0 ? text.slice(0, most) : String(turn).slice(0, most);
}

/** Makes a number within its bounds: 1 where that fits. */
export function exampleNumber(
  schema: JsonObject,
  isWhole: boolean,
  turn: number,
): number | undefined {
  const { multipleOf: multiple } = schema;
  const step = typeof multiple === "number" && multiple > 0 ? multiple : 1;
  const low = bound(schema, "minimum", "exclusiveMinimum") ?? 0;
  const high = bound(schema, "maximum", "exclusiveMaximum") ?? low;
  const isFitting = (value: number): boolean => isNumberOf(schema, isWhole, value);
  const nearLow = Math.ceil(low / step) * step;
  const nearHigh = Math.floor(high / step) * step;
  const tried = [1, 0, low, nearLow, nearLow + step, high, nearHigh, nearHigh - step];
  const base = [...tried, (low + high) / 2].find(isFitting);
  if (base === undefined) return undefined;
  // No example says -0.
  return ([base + turn * step, base - turn * step].find(isFitting) ?? base) + 0;
}

function bound(schema: JsonObject, ...keywords: readonly string[]): number | undefined {
  const values = keywords.map((keyword) => schema[keyword]);
  return values.find((value) => typeof value === "number");
}

function isNumberOf(schema: JsonObject, isWhole: boolean, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    (!isWhole || Number.isInteger(value)) &&
    !(typeof minimum === "number" && value < minimum) &&
    !(typeof maximum === "number" && value > maximum) &&
    !(typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) &&
    !(typeof multipleOf === "number" && !Number.isInteger(value / multipleOf))
  );
}
