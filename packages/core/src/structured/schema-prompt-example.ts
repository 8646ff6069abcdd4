import type { Json, JsonSchema } from "../contracts/json.ts";
import { misfits, schemaFault } from "../validation/json-validator.ts";
import { buildExample, type ExampleChoice } from "./schema-prompt-build.ts";

/** Tried in this order; the first that fits is taken. */
const choices: readonly ExampleChoice[] = [
  { hasOptional: true, usesGiven: true, branch: 0 },
  { hasOptional: true, usesGiven: false, branch: 0 },
  { hasOptional: false, usesGiven: false, branch: 0 },
  { hasOptional: true, usesGiven: false, branch: 1 },
  { hasOptional: false, usesGiven: false, branch: 1 },
  { hasOptional: true, usesGiven: false, branch: 2 },
  { hasOptional: false, usesGiven: false, branch: 2 },
];

/** Makes a small value that fits a schema, always the same; undefined where none is found. */
export function exampleOf(schema: JsonSchema): Json | undefined {
  if (schemaFault(schema) !== undefined) return undefined;
  for (const choice of choices) {
    const value = buildExample(schema, choice);
    if (value !== undefined && misfits(value, schema).length === 0) return value;
  }
  return undefined;
}
