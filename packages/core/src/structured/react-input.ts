import type { Json } from "../contracts/json.ts";
import { parseStructured } from "./parse-structured.ts";
import { readFenced } from "./react-fences.ts";
import { closerOf, trimEdges } from "./react-text.ts";
import type { StructuredFailure } from "./structured-result.ts";

/** The input of an action: an object or array where the text is one, its text else, null where there is none. */
export type ReactInput = string | readonly Json[] | { readonly [key: string]: Json } | null;

/** An input that was read. */
export interface ReadInput {
  readonly ok: true;
  readonly input: ReactInput;
}

/** Reads the text of an input; broken JSON is mended as far as nothing is made up. */
export function readReactInput(value: string): ReadInput | StructuredFailure {
  let text = withoutStars(trimEdges(value));
  const fenced = readFenced(text);
  if (fenced?.isClosed === false) return readOpenFence(fenced.inside);
  if (fenced !== undefined) text = fenced.inside;
  else if (/^(?:```|~~~)/.test(text)) return readFenceAndMore(text);
  const bare = withoutQuotes(text);
  if (bare === undefined) return cut("the input begins with a quote that is not closed");
  if (isNothing(text) || bare === "") return { ok: true, input: null };
  const json = jsonPart(bare);
  if (json !== undefined) return readJson(json);
  const closer = closerOf(bare[0]);
  return closer === undefined || bare.includes(closer)
    ? { ok: true, input: bare }
    : cut("the input begins with a bracket that is not closed");
}

/** Reads JSON of a model's text as an object or array. */
export function readJson(text: string): ReadInput | StructuredFailure {
  const read = parseStructured(text);
  if (!read.ok) return read;
  if (typeof read.value !== "object" || read.value === null) {
    return { ok: false, code: "no-json", message: "the input is no JSON object or array" };
  }
  // JSON cut inside a list may leave an object of the list whole.
  const isList = Array.isArray(read.value);
  if ((text[0] === "[" && !isList) || (text[0] === "{" && isList)) {
    return { ok: false, code: "ambiguous", message: "the input is not one JSON object or array" };
  }
  return { ok: true, input: read.value as ReactInput };
}

/** Whether the text begins like a JSON object or array, and not like text in brackets. */
export function looksLikeJson(text: string): boolean {
  if (text[0] === "{" || text[0] === "｛") return objectStart.test(text);
  return text[0] === "[" && arrayStart.test(text) && !/^\[\d+\]\s*\p{L}/u.test(text);
}

const literal = String.raw`(?:true|false|null|True|False|None|NaN|-?\d)`;
const objectStart = new RegExp(
  String.raw`^[{｛]\s*(?:["'“”‘’}｝{]|[\w$-]+\s*["']?[:：]\s*(?:["'[{“]|${literal})|/[/*]|$)`,
);
const arrayStart = new RegExp(
  String.raw`^\[\s*(?:[[{"'“‘\]]|-?\d+(?:\.\d+)?\s*[,\]]|${literal}\s*[,\]]|/[/*]|$)`,
);

function isJson(text: string): boolean {
  if (text[0] !== "{" && text[0] !== "[") return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const codeNames: ReadonlySet<string> = new Set([
  "print",
  "console.log",
  "len",
  "list",
  "dict",
  "set",
  "tuple",
  "str",
  "repr",
  "sum",
  "max",
  "min",
  "sorted",
  "return",
]);

/** The part of the text that is meant as JSON: all of it, or the argument of a call around it. */
function jsonPart(text: string): string | undefined {
  const bare = text.replace(/^json\s+(?=[[{])/i, "");
  if (looksLikeJson(bare) || isJson(bare)) return bare;
  const call = /^([\p{L}_][\p{L}\p{N}_-]{0,63})[^\S\r\n]?[(（]\s*(?=[[{])/u.exec(text);
  const isCode = call !== null && codeNames.has(call[1] ?? "");
  if (call === null || isCode || !/[)）]\s*[;。.]?$/.test(text.slice(-4))) return undefined;
  const argument = text.slice(call[0].length).replace(/[)）]\s{0,2}[;。.]?$/, "");
  return looksLikeJson(argument) ? argument : undefined;
}

function isNothing(text: string): boolean {
  return text === "" || /^(?:none|null)$/i.test(text);
}

function withoutStars(text: string): string {
  const marks = /^(?:\*{1,3}|_{1,2})(?=[[{`])/.exec(text)?.[0];
  if (marks !== undefined && text.endsWith(marks)) return text.slice(marks.length, -marks.length);
  if (!/^\*\*\s/.test(text)) return text;
  const rest = trimEdges(text.slice(2));
  return rest.endsWith(" **") ? trimEdges(rest.slice(0, -2)) : rest;
}

const pairs: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["‘", "’"],
];

/** The text without the one pair of quotes or backticks around it; nothing if its first quote is never closed. */
export function withoutQuotes(text: string): string | undefined {
  if (text[0] === '"' && !text.includes('"', 1)) return undefined;
  for (const [open, close] of pairs) {
    if (text.length < 2 || !text.startsWith(open) || !text.endsWith(close)) continue;
    const inner = text.slice(1, -1);
    if (open === "'" && looksLikeJson(trimEdges(inner))) return trimEdges(inner);
    const parts = inner.replaceAll(`\\${close}`, "");
    const isApostrophe = close === "'" && !/(?:^|[^\p{L}\p{N}])'|'(?:[^\p{L}\p{N}]|$)/u.test(parts);
    if (parts.includes(close) && !isApostrophe && !looksLikeJson(inner)) return text;
    return trimEdges(open === '"' || open === "'" ? inner.replaceAll(`\\${close}`, close) : inner);
  }
  return text;
}

/** A fence that is not closed: JSON may be whole all the same, text can't be known to be. */
function readOpenFence(body: string): ReadInput | StructuredFailure {
  return looksLikeJson(body) ? readJson(body) : cut("the fence of the input is not closed");
}

function readFenceAndMore(text: string): ReadInput | StructuredFailure {
  const body = trimEdges(text.replace(/^[`~]+[\w+#.-]*/, ""));
  if (looksLikeJson(body)) return readJson(text);
  return {
    ok: false,
    code: "ambiguous",
    message: "the input is a fence with text behind it; give the input alone",
  };
}

function cut(what: string): StructuredFailure {
  return { ok: false, code: "truncated", message: `${what}: the text was cut` };
}
