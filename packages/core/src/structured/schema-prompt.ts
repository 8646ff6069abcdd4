import type { JsonSchema } from "../contracts/json.ts";
import type { Language } from "../contracts/prompt.ts";
import { typesOf } from "./dialects/schema-reading.ts";
import { exampleOf } from "./schema-prompt-example.ts";
import { schemaLines } from "./schema-prompt-lines.ts";
import { readPromptPart } from "./schema-prompt-part.ts";
import { type SchemaWords, schemaWords } from "./schema-words.ts";

/**
 * Tells a model in words what its reply must be: every field, its allowed values, and an example that fits. It always holds
 * the word JSON, without which some endpoints refuse their JSON mode.
 */
export function schemaPrompt(schema: JsonSchema, language: Language = "en"): string {
  const words = schemaWords[language];
  const example = exampleOf(schema);
  return [
    headOf(schema, words),
    ...schemaLines(schema, words),
    ...(example === undefined ? [] : [words.example(JSON.stringify(example))]),
  ].join("\n");
}

function headOf(schema: JsonSchema, words: SchemaWords): string {
  const part = readPromptPart(schema, schema, ["#"]);
  const types = part.branches === undefined ? typesOf(part.schema) : undefined;
  const isObject = types?.length === 1 && types[0] === "object";
  return isObject ? words.objectHead : words.valueHead;
}
