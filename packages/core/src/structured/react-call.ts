import { closedAt, closerOf, skipBlanks, type Tally, trimEdges } from "./react-text.ts";
import { looksLikeJson } from "./react-input.ts";
import { withoutMarks } from "./react-sections.ts";
import type { StructuredFailure } from "./structured-result.ts";

/** The value of Action, taken apart: a name, and what stands in the brackets behind it. */
export interface ReactCall {
  readonly ok: true;
  readonly name: string;
  /** The text in brackets or behind the name; nothing if there is none. */
  readonly argument?: string;
  /** A note in round brackets: it may be meant as the input, if the name knows no other. */
  readonly note?: string;
  /** What else there is: prose behind a call, or lines below a bare name. */
  readonly rest: "none" | "prose" | "lines";
}

/** Takes the value of Action apart: `name`, `name[text]`, `name({…})`, `name (note)`, `[name]`. */
export function readReactCall(
  value: string,
  isTool: (name: string) => boolean,
  tally: Tally,
): ReactCall | StructuredFailure {
  const text = withoutMarks(value);
  tally.steps += value.length;
  if (isTool(text)) return { ok: true, name: text, rest: "none" };
  const bracketed = nameInBrackets(text);
  if (bracketed !== undefined) return { ok: true, name: bracketed, rest: "none" };
  const opening = /[[(［（【{"\n\r]/.exec(text)?.index ?? text.length;
  const bracket = text[opening];
  if (opening > 0 && bracket === "{" && looksLikeJson(text.slice(opening))) {
    const name = withoutMarks(text.slice(0, opening))
      .slice(0, maxNameChars)
      .replace(/[,:，：]$/, "");
    if (isName(name)) return { ok: true, name, argument: text.slice(opening), rest: "none" };
  }
  if (opening > 0 && closerOf(bracket) !== undefined && bracket !== "{") {
    return readBracket(text, opening, tally);
  }
  return readPlain(text);
}

function nameInBrackets(text: string): string | undefined {
  if (!/^[[［【<]/.test(text) || !/[\]］】>]$/.test(text.slice(-1))) return undefined;
  const inner = withoutMarks(text.slice(1, -1));
  return isName(inner) ? inner : undefined;
}

function readBracket(text: string, opening: number, tally: Tally): ReactCall | StructuredFailure {
  const first = text[skipBlanks(text, opening + 1, text.length, tally)];
  const quoted = first === '"' || first === "{" || first === "[";
  const span = { tally, quoted };
  let end = closedAt(text, opening, text.length, span);
  if (end < 0 && quoted) end = closedAt(text, opening, text.length, { tally, quoted: false });
  const name = withoutMarks(text.slice(0, opening));
  if (end < 0)
    return fail("truncated", "the brackets of the action are not closed: the text was cut");
  const inside = trimEdges(text.slice(opening + 1, end - 1));
  const rest = trimEdges(text.slice(end)).replace(/^[.;,。；，*`]+/, "");
  if (!isName(name)) return fail("syntax", `"${name.slice(0, 80)}" is no name of an action`);
  if (/^[\])］）】]/.test(rest)) {
    return fail("ambiguous", "the brackets of the action do not match");
  }
  const isNote = (text[opening] === "(" || text[opening] === "（") && !looksLikeJson(inside);
  const hasGap = /\s/.test(text[opening - 1] ?? "");
  const isQuoted = /^(["']).*\1$/s.test(inside);
  const call = {
    ok: true as const,
    name,
    rest: rest === "" ? ("none" as const) : ("prose" as const),
  };
  if (!isNote || isQuoted) return { ...call, argument: inside };
  if (rest !== "" && looksLikeJson(rest)) return { ...call, argument: rest, rest: "none" };
  if (hasGap && /[{:：]/.test(inside)) {
    return fail(
      "ambiguous",
      "what stands in brackets behind the action may be its input or a note",
    );
  }
  return hasGap ? { ...call, note: "" } : { ...call, note: inside };
}

/** A name alone, or a name with its input in the lines below. */
function readPlain(text: string): ReactCall | StructuredFailure {
  const lineEnd = /[\n\r]/.exec(text)?.index ?? text.length;
  const name = withoutMarks(text.slice(0, Math.min(lineEnd, maxNameChars + 8))).replace(
    /[.;,:。；，：]+$/,
    "",
  );
  const rest = trimEdges(text.slice(lineEnd));
  if (!isName(name)) return fail("syntax", `"${name.slice(0, 80)}" is no name of an action`);
  if (rest === "") return { ok: true, name, rest: "none" };
  return looksLikeJson(rest) || /^(?:```|~~~)/.test(rest)
    ? { ok: true, name, argument: rest, rest: "none" }
    : { ok: true, name, rest: "lines" };
}

/** The longest name that is taken for one. */
const maxNameChars = 256;

function isName(text: string): boolean {
  return text !== "" && text.length <= maxNameChars && !/["{}[\]\n\r]/.test(text);
}

function fail(code: "truncated" | "syntax" | "ambiguous", message: string): StructuredFailure {
  return { ok: false, code, message };
}
