import type { Json } from "@loopwright/core/plugin";

const MAX_DEPTH = 4;
const MAX_ITEMS = 30;
/** Longer arguments are shown as they are, unread. */
const MAX_READ = 20_000;
/** Text that reads as something else, or that runs into what stands around it. */
const NEEDS_QUOTES = /^$|^\s|\s$|[",:{}[\]\n]|^(?:true|false|null|-?[\d.]+(?:e[+-]?\d+)?)$/u;

/** A tool's arguments, compact where they are a JSON object, else as the model wrote them. */
export function compactArguments(text: string): string {
  if (text.length > MAX_READ) return text;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "object" ? compact(value) : text;
  } catch {
    // A model may write anything; the tool pipeline tells what is wrong with it.
    return text;
  }
}

/** A value on one line, with quotes only where text could be mistaken; an object's own braces are left out. */
export function compact(value: Json): string {
  return isRecord(value) ? membersOf(value, 0) : textOf(value, 0);
}

function textOf(value: Json, depth: number): string {
  if (typeof value === "string") return NEEDS_QUOTES.test(value) ? JSON.stringify(value) : value;
  if (typeof value !== "object" || value === null) return String(value);
  if (depth >= MAX_DEPTH) return "…";
  if (isRecord(value)) return `{${membersOf(value, depth)}}`;
  const items = value.slice(0, MAX_ITEMS).map((item: Json) => textOf(item, depth + 1));
  return `[${items.join(", ")}${value.length > MAX_ITEMS ? ", …" : ""}]`;
}

function membersOf(value: { readonly [key: string]: Json }, depth: number): string {
  const entries = Object.entries(value);
  const members = entries
    .slice(0, MAX_ITEMS)
    .map(([key, member]) => `${key}: ${textOf(member, depth + 1)}`);
  return members.join(", ") + (entries.length > MAX_ITEMS ? ", …" : "");
}

/** Tells an object from the other values. */
export function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
