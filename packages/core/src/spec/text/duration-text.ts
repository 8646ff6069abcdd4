const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** Writes milliseconds as a spec does: `90d`, `2m`, `1500ms`. */
export function durationText(ms: number): string {
  for (const [unit, size] of units) if (ms >= size && ms % size === 0) return `${ms / size}${unit}`;
  return `${ms}ms`;
}

/** A time left as people read it: whole seconds from one second on, rounded up. */
export function wholeSeconds(ms: number): string {
  return durationText(ms < 1_000 ? Math.ceil(ms) : Math.ceil(ms / 1_000) * 1_000);
}
