import type { JsonSchema } from "../contracts/json.ts";
import { typesOf } from "./dialects/schema-reading.ts";
import { exampleOf } from "./schema-prompt-example.ts";
import { schemaLines } from "./schema-prompt-lines.ts";
import { readPromptPart } from "./schema-prompt-part.ts";

/**
 * Tells a model in words what its reply must be: every field, its allowed values, and an example that fits. It always holds
 * the word JSON, without which some endpoints refuse their JSON mode.
 */
export function schemaPrompt(schema: JsonSchema): string {
  const example = exampleOf(schema);
  return [
    headOf(schema),
    ...schemaLines(schema),
    ...(example === undefined
      ? []
      : [`An example of a reply that fits, with made-up values: ${JSON.stringify(example)}`]),
  ].join("\n");
}

function headOf(schema: JsonSchema): string {
  const part = readPromptPart(schema, schema, ["#"]);
  const types = part.branches === undefined ? typesOf(part.schema) : undefined;
  const isObject = types?.length === 1 && types[0] === "object";
  const noun = isObject ? "one JSON object" : "one JSON value";
  const head = `Reply with ${noun} and nothing else: no text around it, no code fence.`;
  return `${head} ${isObject ? "Its fields:" : "It is:"}`;
}
