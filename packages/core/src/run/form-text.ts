import type { JsonSchema } from "../contracts/json.ts";
import { schemaPrompt } from "../structured/schema-prompt.ts";
import type { AnswerTarget } from "./answer-target.ts";

/** What the system message says of the form of the reply. */
export function formText(target: AnswerTarget): string {
  switch (target.form) {
    case "separate":
      return `${THINK} ${fieldNames(target).join(", ")}.`;
    case "free":
      return `${FREE}\n${describeOnce(target.schema)}`;
    default:
      return describeOnce(target.schema);
  }
}

/** Asks for the fields of an answer that stands before it in free text. */
export function fieldsText({ schema }: AnswerTarget): string {
  return `${WRITE}\n${describeOnce(schema)}`;
}

const THINK =
  "Reason about it in plain text, step by step, until you know the answer, or know that there is none and why. Write no JSON: these fields will be asked for afterwards:";

const FREE =
  "First reason in plain text, step by step. Then write a line that holds `ANSWER:` and nothing else, and below it the answer itself. For what stands below that line this holds:";

const WRITE = "Write down the answer that you came to, and add nothing to it.";

function fieldNames({ schema }: AnswerTarget): readonly string[] {
  return Object.keys((schema["properties"] ?? {}) as object).map((name) => `\`${name}\``);
}

const described = new WeakMap<object, string>();

/**
 * A schema in words, made once. The words are the same on every layer, so that a recording replays whatever the provider,
 * and so that what an endpoint's dialect can't say is said here.
 */
function describeOnce(schema: JsonSchema): string {
  const text = described.get(schema) ?? schemaPrompt(schema);
  described.set(schema, text);
  return text;
}
