import { ReadFault } from "./read-fault.ts";

const SIMPLE: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Marks that need no escape; the backslash before them says nothing. */
const NEEDLESS = "'`“”‘’\n\r";

const HEX = /^[0-9a-f]{4}$/i;
const PATH_LIKE = /(?:^|[^\w])[a-z]:\\|^\\\\|\\[\w .-]+\\/i;

/** The text that escapes stand for, and what had to be mended. */
export interface DecodedText {
  readonly text: string;
  readonly repairs: readonly string[];
}

/**
 * Decodes the escapes of a string's inside.
 *
 * An unknown escape keeps its backslash; where known ones stand beside it, the whole could be a path, and that is a fault.
 */
export function decodeEscapes(raw: string): DecodedText {
  if (!raw.includes("\\")) return { text: raw, repairs: [] };
  const parts: string[] = [];
  const seen = { letters: false, known: false, unknown: false, needless: false };
  let from = 0;
  for (let at = raw.indexOf("\\"); at >= 0; at = raw.indexOf("\\", from)) {
    parts.push(raw.slice(from, at));
    const { text, length } = oneEscape(raw, at, seen);
    parts.push(text);
    from = at + length;
  }
  parts.push(raw.slice(from));
  if (seen.unknown && (seen.letters || (seen.known && PATH_LIKE.test(raw.slice(0, 10_000)))))
    throw new ReadFault(
      "ambiguous",
      `a string mixes escapes with single backslashes (${raw.slice(0, 40)}): write each backslash as \\\\`,
    );
  const repairs = [
    ...(seen.unknown ? ["kept-backslash"] : []),
    ...(seen.needless ? ["removed-backslash"] : []),
  ];
  return { text: parts.join(""), repairs };
}

interface SeenEscapes {
  letters: boolean;
  known: boolean;
  unknown: boolean;
  needless: boolean;
}

function oneEscape(raw: string, at: number, seen: SeenEscapes): { text: string; length: number } {
  const next = raw[at + 1] ?? "";
  if (next === "u") {
    const digits = raw.slice(at + 2, at + 6);
    if (HEX.test(digits)) {
      seen.known = true;
      return { text: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 };
    }
  }
  const simple = SIMPLE[next];
  if (simple !== undefined) {
    if (/[a-z]/.test(next)) seen.letters = true;
    if (next === "\\") seen.known = true;
    return { text: simple, length: 2 };
  }
  if (next !== "" && NEEDLESS.includes(next)) {
    seen.needless = true;
    return { text: next, length: 2 };
  }
  seen.unknown = true;
  return { text: "\\", length: 1 };
}
