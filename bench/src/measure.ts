/** What one contestant took in one round, in milliseconds. */
export interface Sample {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** A middle value with the quarter below and above it. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Times an action: the wall clock, and the processor time of this process. */
export async function sample(action: () => Promise<void>): Promise<Sample> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await action();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1_000 };
}

/** The ratios of two series, pair by pair: a machine whose speed drifts slows both alike. */
export function ratios(left: readonly number[], right: readonly number[]): Spread {
  return spread(left.map((value, index) => value / (right[index] ?? Number.NaN)));
}

/** The quartiles of values. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/** A spread as text: the median, then the middle half. */
export function spreadText({ low, median, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

/** Starts at another one each round, so that none always runs after the same. */
export function rotated<T>(list: readonly T[], round: number): readonly T[] {
  const start = round % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
