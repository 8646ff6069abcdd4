import type { Json } from "@loopwright/core/plugin";

/** The value of a template as words for a person: a template that is one path keeps the type of its value. */
export function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
