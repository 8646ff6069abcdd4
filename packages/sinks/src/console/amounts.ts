import type { Spending, Usage } from "@loopwright/core/plugin";

/** Milliseconds as a person says them: `0.4s`, `12s`, `2m 05s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`;
  if (seconds < 59.5) return `${Math.round(seconds)}s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m ${pad(whole % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
}

/** A count in at most four characters or so: `950`, `8.1k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${(count / 1000).toFixed(count < 9950 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Dollars, with as many digits as tell small sums apart. */
export function formatUsd(usd: number): string {
  if (usd >= 1) return `$${usd.toFixed(2)}`;
  return usd >= 0.01 ? `$${usd.toFixed(3)}` : `$${usd.toFixed(4)}`;
}

/** A count with its noun. */
function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** All tokens of a usage. */
export function tokensOf(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
}

/** What a run used, part by part; what is nothing is left out. */
export function partsOf(spending: Spending): readonly string[] {
  const { modelCalls, toolCalls, usage, usd } = spending;
  const tokens = tokensOf(usage);
  return [
    counted(modelCalls, "model call"),
    ...(toolCalls > 0 ? [counted(toolCalls, "tool call")] : []),
    ...(tokens > 0 ? [counted(tokens, "token")] : []),
    ...(usd > 0 ? [formatUsd(usd)] : []),
  ];
}

function pad(count: number): string {
  return String(count).padStart(2, "0");
}
