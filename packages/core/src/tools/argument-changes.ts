import type { ArgumentChange } from "../contracts/event.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import { definePrompt, type Language, wordsIn } from "../contracts/prompt.ts";
import { below } from "../structured/coercion-notes.ts";

/** Where two arguments differ, by the smallest parts. */
export function changesBetween(from: Json, to: Json, path = ""): readonly ArgumentChange[] {
  if (isObject(from) && isObject(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) =>
      changesBetween(memberOf(from, key), memberOf(to, key), below(path, key)),
    );
  }
  const isSame = JSON.stringify(from) === JSON.stringify(to);
  return isSame ? [] : [{ path, from, to }];
}

/** Says to a model what its arguments were read as. */
export function changesNote(changes: readonly ArgumentChange[], language: Language = "en"): string {
  const said = changes.map(({ path, to }) => {
    const text = JSON.stringify(to);
    const shown = text.length > 120 ? `${text.slice(0, 119)}…` : text;
    return path === ""
      ? wordsIn(language, ALL_READ_AS, { shown })
      : wordsIn(language, READ_AS, { path, shown });
  });
  return said.join(wordsIn(language, BETWEEN));
}

const ALL_READ_AS = definePrompt({
  en: "the arguments were read as {{shown}}",
  zh: "参数被读作 {{shown}}",
});
const READ_AS = definePrompt({
  en: "{{path}} was read as {{shown}}",
  zh: "{{path}} 被读作 {{shown}}",
});
const BETWEEN = definePrompt({ en: "; ", zh: "；" });

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is not there counts as null, as JSON has no word for it. */
function memberOf(value: JsonObject, key: string): Json {
  return Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}
