import type { JsonSchema } from "../contracts/json.ts";
import { typesOf } from "./dialects/schema-reading.ts";
import { exampleOf } from "./schema-prompt-example.ts";
import { schemaLines } from "./schema-prompt-lines.ts";
import { readPromptPart } from "./schema-prompt-part.ts";

/** How far the endpoint itself sees to the form of a reply: to its schema, to its being JSON, or not at all. */
export type PromptMode = "schema" | "json" | "prompt";

/**
 * Tells a model in words what its reply must be: every field, its allowed values, and an example that fits. It always holds
 * the word JSON, without which some endpoints refuse their JSON mode.
 */
export function schemaPrompt(schema: JsonSchema, { mode }: { readonly mode: PromptMode }): string {
  const example = exampleOf(schema);
  return [
    headOf(schema, mode),
    ...schemaLines(schema),
    ...(example === undefined
      ? []
      : [`An example of a reply that fits, with made-up values: ${JSON.stringify(example)}`]),
  ].join("\n");
}

const heads: Readonly<Record<PromptMode, (noun: string) => string>> = {
  schema: (noun) => `The reply is ${noun}.`,
  json: (noun) => `Reply with ${noun} and nothing else.`,
  prompt: (noun) => `Reply with ${noun} and nothing else: no text around it, no code fence.`,
};

function headOf(schema: JsonSchema, mode: PromptMode): string {
  const part = readPromptPart(schema, schema, ["#"]);
  const types = part.branches === undefined ? typesOf(part.schema) : undefined;
  const isObject = types?.length === 1 && types[0] === "object";
  const noun = isObject ? "one JSON object" : "one JSON value";
  return `${heads[mode](noun)} ${isObject ? "Its fields:" : "It is:"}`;
}
