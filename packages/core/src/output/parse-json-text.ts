import { jsonrepair } from "jsonrepair";
import type { Json } from "../contracts/json.ts";

/** JSON read from a model's text, with every repair named; or why it can't be read. */
export type ParsedText =
  | { readonly ok: true; readonly value: Json; readonly repairs: readonly string[] }
  | {
      readonly ok: false;
      readonly code: "empty" | "no-json" | "syntax" | "truncated" | "ambiguous";
      readonly message: string;
    };

/** Repairing text with many stray quotes takes more than linear time; longer text is an error. */
const maxRepairChars = 65_536;

/** Reads one JSON object or array from a model's text: as it is, then out of fences or prose, then mended; never a guess. */
export function parseJsonText(text: string): ParsedText {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: false, code: "empty", message: "the reply is empty" };
  const direct = tryParse(trimmed);
  if (direct !== undefined) return { ok: true, value: direct, repairs: [] };
  const bare = stripThinking(trimmed);
  const repairs = bare === trimmed ? [] : ["removed thinking"];
  const candidates = balancedParts(bare);
  if (candidates.parts.length === 0) {
    return candidates.isOpen
      ? { ok: false, code: "truncated", message: "the JSON is not closed: the text was cut" }
      : { ok: false, code: "no-json", message: "the reply holds no JSON object" };
  }
  if (candidates.isOpen)
    return { ok: false, code: "truncated", message: "the reply ends inside JSON" };
  return readCandidates(candidates.parts, bare, repairs);
}

function readCandidates(
  parts: readonly string[],
  whole: string,
  repairs: readonly string[],
): ParsedText {
  const values: Json[] = [];
  const notes: string[] = [];
  for (const part of parts) {
    const value = tryParse(part) ?? mend(part, notes);
    if (value !== undefined) values.push(value);
  }
  const [value] = values;
  if (value === undefined)
    return { ok: false, code: "syntax", message: "the JSON is broken beyond a safe repair" };
  if (values.some((other) => JSON.stringify(other) !== JSON.stringify(value))) {
    return {
      ok: false,
      code: "ambiguous",
      message: `the reply holds ${values.length} different JSON values; one is wanted`,
    };
  }
  const isAround = parts.length > 1 || parts[0] !== whole;
  return {
    ok: true,
    value,
    repairs: [...repairs, ...(isAround ? ["removed text around the JSON"] : []), ...notes],
  };
}

function tryParse(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function mend(text: string, notes: string[]): Json | undefined {
  if (text.length > maxRepairChars) return undefined;
  try {
    const value = tryParse(jsonrepair(text));
    if (value !== undefined) notes.push("mended the JSON's syntax");
    return value;
  } catch {
    return undefined;
  }
}

function stripThinking(text: string): string {
  const closing = text.lastIndexOf("</think>");
  return closing < 0 ? text : text.slice(closing + "</think>".length).trim();
}

/** Finds the outermost `{…}` and `[…]` parts in one pass; text in double quotes inside them is passed over. */
function balancedParts(text: string): {
  readonly parts: readonly string[];
  readonly isOpen: boolean;
} {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character === "\\") at++;
      else if (character === '"') isQuoted = false;
    } else if (character === '"' && depth > 0) isQuoted = true;
    else if (character === "{" || (character === "[" && depth > 0)) {
      if (depth === 0) start = at;
      depth += 1;
    } else if ((character === "}" || character === "]") && depth > 0) {
      depth -= 1;
      if (depth === 0) parts.push(text.slice(start, at + 1));
    }
  }
  return { parts: parts.slice(0, 64), isOpen: depth > 0 };
}
