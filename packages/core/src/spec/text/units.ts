const msPerUnit: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);
const countPerSuffix: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["k", 1_000],
  ["M", 1_000_000],
]);

/** Reads a duration like `500ms`, `5s`, `1.5m`, `1h`, `90d` in milliseconds; undefined for anything else, as for a number without a unit. */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^(\d{1,15}(?:\.\d{1,9})?)(ms|s|m|h|d)$/.exec(value);
  const scale = msPerUnit.get(match?.[2] ?? "");
  if (match === null || scale === undefined) return undefined;
  const ms = Number((Number(match[1]) * scale).toFixed(3));
  return Number.isSafeInteger(Math.ceil(ms)) ? ms : undefined;
}

/** Reads a whole, non-negative count like `2000`, `200k`, `1.5M`; undefined for anything else. */
export function parseCount(value: unknown): number | undefined {
  if (typeof value === "number")
    return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  if (typeof value !== "string") return undefined;
  const match = /^(\d{1,15}(?:\.\d{1,6})?)(k|M|)$/.exec(value);
  const scale = countPerSuffix.get(match?.[2] ?? "?");
  if (match === null || scale === undefined) return undefined;
  const count = Number((Number(match[1]) * scale).toFixed(6));
  return Number.isSafeInteger(count) ? count : undefined;
}

/** Reads a rate like `10/1m` or `10/m` as a positive count per milliseconds; undefined for anything else. */
export function parseRate(
  value: unknown,
): { readonly count: number; readonly perMs: number } | undefined {
  if (typeof value !== "string") return undefined;
  const [left, right, ...rest] = value.split("/");
  if (left === undefined || right === undefined || rest.length > 0) return undefined;
  const count = parseCount(left.trim());
  const period = right.trim();
  const perMs = parseDuration(msPerUnit.has(period) ? `1${period}` : period);
  return count === undefined || perMs === undefined || count === 0 || perMs === 0
    ? undefined
    : { count, perMs };
}
