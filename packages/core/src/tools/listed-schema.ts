import type { Json, JsonSchema } from "../contracts/json.ts";
import { asForeign, schemaFault } from "../validation/json-validator.ts";
import { readPatterns } from "../validation/foreign-patterns.ts";
import { cleanText, modelText } from "./clean-text.ts";

/** A schema from outside that can be used, or why not. */
type ReadSchema =
  | {
      readonly ok: true;
      readonly schema: JsonSchema;
      /** Patterns that texts are not matched with, because that could take unbounded time. */
      readonly unchecked?: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

const maxSchemaChars = 60_000;
const maxDescriptionChars = 2_000;
const maxDepth = 64;

/** Reads a schema that a source outside lists: plain JSON of bounded size; what its draft does not know is passed over. */
export function readListedSchema(given: unknown): ReadSchema {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return { ok: false, reason: "it is no object" };
  try {
    const text = JSON.stringify(given);
    if (text.length > maxSchemaChars)
      return { ok: false, reason: `it is longer than ${maxSchemaChars} characters` };
    return remembered(text);
  } catch {
    return { ok: false, reason: "it is not plain JSON" };
  }
}

/** Sources list the same for every run, and to compile it takes long. */
const known = new Map<string, ReadSchema>();
const maxKnown = 2_000;

function remembered(text: string): ReadSchema {
  const before = known.get(text);
  if (before !== undefined) return before;
  const copy = plainCopy(text);
  const read = copy.ok ? judged(copy.schema) : copy;
  if (known.size >= maxKnown) known.clear();
  known.set(text, read);
  return read;
}

function judged(schema: JsonSchema): ReadSchema {
  const fault = schemaFault(asForeign(schema));
  if (fault !== undefined) return { ok: false, reason: cleanText(fault, 300) };
  const patterns = readPatterns(schema);
  if (patterns.fault !== undefined) return { ok: false, reason: cleanText(patterns.fault, 300) };
  const { unchecked } = patterns;
  return { ok: true, schema, ...(unchecked.length === 0 ? {} : { unchecked }) };
}

/** A copy that nothing outside holds, with descriptions that hide nothing. */
function plainCopy(text: string): ReadSchema {
  const schema = JSON.parse(text, (key, value: unknown) =>
    (key === "description" || key === "title") && typeof value === "string"
      ? modelText(value, maxDescriptionChars)
      : value,
  ) as JsonSchema;
  return depthOf(schema) > maxDepth
    ? { ok: false, reason: `it is nested deeper than ${maxDepth} levels` }
    : { ok: true, schema };
}

function depthOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  return 1 + parts.reduce((most: number, part) => Math.max(most, depthOf(part)), 0);
}
