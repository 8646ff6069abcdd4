import type { JsonSchema } from "../contracts/json.ts";
import { definePrompt, type Language, wordsIn } from "../contracts/prompt.ts";
import { schemaPrompt } from "../structured/schema-prompt.ts";
import type { AnswerTarget } from "./answer-target.ts";

/** What the system message says of the form of the reply. */
export function formText(target: AnswerTarget, language: Language): string {
  switch (target.form) {
    case "separate":
      return wordsIn(language, THINK, { fields: fieldNames(target).join(", ") });
    case "free":
      return `${wordsIn(language, FREE)}\n${describeOnce(target.schema, language)}`;
    default:
      return describeOnce(target.schema, language);
  }
}

/** Asks for the fields of an answer that stands before it in free text. */
export function fieldsText({ schema }: AnswerTarget, language: Language): string {
  return `${wordsIn(language, WRITE)}\n${describeOnce(schema, language)}`;
}

function fieldNames({ schema }: AnswerTarget): readonly string[] {
  return Object.keys((schema["properties"] ?? {}) as object).map((name) => `\`${name}\``);
}

const described: Readonly<Record<Language, WeakMap<object, string>>> = {
  en: new WeakMap(),
  zh: new WeakMap(),
};

/**
 * A schema in words, made once. The words are the same on every layer, so that a recording replays whatever the provider,
 * and so that what an endpoint's dialect can't say is said here.
 */
function describeOnce(schema: JsonSchema, language: Language): string {
  const text = described[language].get(schema) ?? schemaPrompt(schema, language);
  described[language].set(schema, text);
  return text;
}

const THINK = definePrompt({
  en: "Reason about it in plain text, step by step, until you know the answer, or know that there is none and why. Write no JSON: these fields will be asked for afterwards: {{fields}}.",
  zh: "请用普通文字一步一步地推理，直到得出答案，或者确认没有答案并知道原因。不要写 JSON：之后会向你询问这些字段：{{fields}}。",
});

// The line is the same in both languages: its reader knows it in either.
const FREE = definePrompt({
  en: "First reason in plain text, step by step. Then write a line that holds `ANSWER:` and nothing else, and below it the answer itself. For what stands below that line this holds:",
  zh: "先用普通文字一步一步地推理。然后写一行，其中只有 `ANSWER:`，再在下面写答案本身。该行以下的内容须满足：",
});

const WRITE = definePrompt({
  en: "Write down the answer that you came to, and add nothing to it.",
  zh: "写下你得出的答案，不要添加任何内容。",
});
