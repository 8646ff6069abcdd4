import type { Json, JsonObject } from "../contracts/json.ts";
import { durationText } from "../spec/text/duration-text.ts";

/** One thing that differs between two programs, in words. */
export interface Difference {
  /** What it is about: `verify.maxRounds`, `tools.orders/query.timeout`, `stage refine`. */
  readonly path: string;
  /** What happened to it: `2 → 3`, `removed`. */
  readonly text: string;
}

/** Every place at which two values differ. */
export function differencesOf(
  before: Json | undefined,
  after: Json | undefined,
  path: string,
): readonly Difference[] {
  if (before === undefined || after === undefined) return appeared(before, after, path);
  if (isMap(before) && isMap(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => {
      const name = key.endsWith("Ms") ? key.slice(0, -2) : key;
      const [first, second] = [before[key], after[key]].map((value) => unitOf(key, value));
      return differencesOf(first, second, `${path}.${name}`);
    });
  }
  if (isList(before) && isList(after)) return listDifferences(before, after, path);
  if (isEqual(before, after)) return [];
  if (typeof before === "string" && typeof after === "string" && isProse(before, after))
    return [{ path, text: wordsThatDiffer(before, after) }];
  return [{ path, text: `${shown(before)} → ${shown(after)}` }];
}

function appeared(
  before: Json | undefined,
  after: Json | undefined,
  path: string,
): readonly Difference[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined)
    return isEmpty(after) ? [] : [{ path, text: `added: ${shown(after ?? "")}` }];
  return isEmpty(before) ? [] : [{ path, text: `removed (was ${shown(before)})` }];
}

function listDifferences(
  before: readonly Json[],
  after: readonly Json[],
  path: string,
): readonly Difference[] {
  if (isEqual(before, after)) return [];
  const [first, second] = [before, after].map((items) => items.map((item) => shown(item)));
  const gone = (first ?? []).filter((item) => !second?.includes(item));
  const come = (second ?? []).filter((item) => !first?.includes(item));
  if (gone.length === 0 && come.length === 0) return [{ path, text: "in another order" }];
  const [only] = before;
  const [other] = after;
  if (before.length === 1 && after.length === 1 && only !== undefined && other !== undefined)
    return differencesOf(only, other, `${path}[0]`);
  const text = [...come.map((item) => `+ ${item}`), ...gone.map((item) => `− ${item}`)].join(", ");
  return [{ path, text }];
}

/** Says where two texts part, with some words around the place. */
function wordsThatDiffer(before: string, after: string): string {
  const [first, second] = [before, after].map((text) => text.split(/\s+/u));
  if (first === undefined || second === undefined) return "changed";
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  if (at === first.length && at === second.length) return "changed in its white space";
  const around = (words: readonly string[]): string => {
    const piece = words.slice(Math.max(0, at - 2), at + 4).join(" ");
    const [lead, tail] = [at > 2 ? "… " : "", at + 4 < words.length ? " …" : ""];
    return `“${lead}${piece}${tail}”`;
  };
  return `text changed at word ${at + 1}: ${around(first)} → ${around(second)}`;
}

const longestValue = 60;

/** A value in few words. */
function shown(value: Json): string {
  const text = typeof value === "string" ? value : isMap(value) ? mapText(value) : plain(value);
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
}

function plain(value: Json): string {
  return isList(value) ? `[${value.map((item) => shown(item)).join(", ")}]` : JSON.stringify(value);
}

function mapText(value: JsonObject): string {
  const { use, ...rest } = value;
  const parts = Object.entries(rest)
    .filter(([, item]) => !isEmpty(item))
    .map(([key, item]) => `${key}: ${shown(item)}`);
  if (typeof use !== "string") return `{ ${parts.join(", ")} }`;
  return parts.length === 0 ? use : `${use} { ${parts.join(", ")} }`;
}

function unitOf(key: string, value: Json | undefined): Json | undefined {
  return key.endsWith("Ms") && typeof value === "number" ? durationText(value) : value;
}

/** Prose is told by the words that differ; an id, a model or an expression is told whole. */
function isProse(before: string, after: string): boolean {
  return [before, after].some((text) => text.length > longestValue || text.includes("\n"));
}

function isEqual(before: Json, after: Json): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === "" || value === false || value === null) return true;
  if (isList(value)) return value.length === 0;
  return isMap(value) && Object.keys(value).length === 0;
}

function isMap(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
