/** How long an endpoint asks to wait, told in seconds or as a date, in milliseconds. */
export function askedWaitMs(headers: Headers | undefined, now: number): number | undefined {
  const text = headers?.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
