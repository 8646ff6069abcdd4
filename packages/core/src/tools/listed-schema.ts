import type { Json, JsonSchema } from "../contracts/json.ts";
import { asForeign, schemaFault } from "../validation/json-validator.ts";
import { cleanText, modelText } from "./clean-text.ts";

/** A schema from outside that can be used, or why not. */
type ReadSchema =
  | { readonly ok: true; readonly schema: JsonSchema }
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
  const fault = copy.ok ? schemaFault(asForeign(copy.schema)) : undefined;
  const read: ReadSchema =
    fault === undefined ? copy : { ok: false, reason: cleanText(fault, 300) };
  if (known.size >= maxKnown) known.clear();
  known.set(text, read);
  return read;
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
