import type { Answer, Json } from "@loopwright/core/plugin";

/** All that an answer says: its text, or the strings in it where it is JSON, and the strings of its value. */
export function answerTexts({ text, value }: Answer): readonly string[] {
  const parsed = parseJson(text);
  return [...new Set([...(parsed === undefined ? [text] : strings(parsed)), ...strings(value)])];
}

/** The one text a person reads; undefined where the answer has several and none is the whole. */
export function answerProse({ text, value }: Answer): string | undefined {
  const parsed = parseJson(text);
  if (parsed === undefined && text.trim() !== "") return text.trim();
  const found = strings(parsed ?? value);
  return found.length === 1 ? found[0]?.trim() : undefined;
}

/** The strings in a JSON value, in order, without keys. */
export function strings(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((part: Json) => strings(part));
}

/** Reads a text that is a JSON object or list as a whole, else returns undefined. */
export function parseJson(text: string): Json | undefined {
  const trimmed = text.trim().replace(/^```(?:json)?\s*\n([\s\S]*)\n```$/, "$1");
  if (!/^[[{]/.test(trimmed)) return undefined;
  try {
    return JSON.parse(trimmed) as Json;
  } catch {
    return undefined;
  }
}
