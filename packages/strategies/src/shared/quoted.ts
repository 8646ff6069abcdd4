import { beginningOf } from "./one-line.ts";

/** A text as data in a prompt: as it is where it has one line, else each of its lines quoted below; it opens no section and no list. */
export function quoted(text: string, maxChars: number): string {
  const shown = beginningOf(text.trim(), maxChars);
  const lines = shown.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u);
  return lines.length === 1 ? shown : ["", ...lines.map((line) => `  > ${line}`)].join("\n");
}
