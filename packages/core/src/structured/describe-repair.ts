import type { Repair } from "./structured-result.ts";

/** A repair in words, like `text to number at count ("4" → 4)`. */
export function describeRepair({ rule, path, note }: Repair): string {
  const place = path === undefined ? "" : ` at ${path}`;
  return `${rule.replaceAll("-", " ")}${place}${note === undefined ? "" : ` (${note})`}`;
}
