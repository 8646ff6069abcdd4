import { closersOf } from "./quote-marks.ts";

/**
 * The end of the bracket that opens at a place, strings passed over.
 *
 * The end of the text where it does not close, or where it is in doubt what is a string: other quotation marks, or
 * marks that do not stand beside the punctuation of JSON.
 */
export function balancedEnd(text: string, start: number): number {
  let depth = 0;
  let before = "";
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === '"') {
      const end = stringEnd(text, at);
      if (end === undefined || !"[{,:(".includes(before)) return text.length;
      at = end - 1;
    } else if (closersOf(character) !== undefined) return text.length;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    if (character.trim() !== "") before = character;
  }
  return text.length;
}

/** The end of a plain string, where punctuation of JSON stands behind it. */
function stringEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') {
      const after = text.slice(at + 1, at + 200).trimStart();
      return after === "" || ",:]})".includes(after[0] ?? "") ? at + 1 : undefined;
    }
  }
  return undefined;
}
