import { createHash } from "node:crypto";
import type { Json } from "../contracts/json.ts";

/** JSON with sorted keys and no white space: equal data is equal text. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(sorted(value));
}

/** The SHA-256 of canonical data, hex. */
export function hashOf(value: Json): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([, item]) => (item as Json | undefined) !== undefined,
  );
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
