import type { Usage } from "@loopwright/core/plugin";
import type { WireTokens } from "./message-wire.ts";

/** Token counts as core has them; thinking is a part of the output already. */
export function toMessageUsage(tokens: WireTokens | null | undefined): Usage {
  const output = count(tokens?.output_tokens);
  const reasoning = count(tokens?.output_tokens_details?.thinking_tokens);
  return {
    input: count(tokens?.input_tokens),
    cacheRead: count(tokens?.cache_read_input_tokens),
    cacheWrite: count(tokens?.cache_creation_input_tokens),
    output,
    reasoning: Math.min(reasoning, output),
  };
}

/** The counts of a stream: its end says more than its start, or nothing, which some servers write as zero. */
export function laterTokens(
  first: WireTokens | null | undefined,
  later: WireTokens | null | undefined,
): WireTokens {
  const before: Readonly<Record<string, unknown>> = { ...first };
  const told = Object.entries(later ?? {}).flatMap(([name, value]) => {
    const larger = largerOf(before[name], value);
    return larger === null || larger === undefined ? [] : [[name, larger] as const];
  });
  return { ...first, ...Object.fromEntries(told) };
}

/** Of two numbers the larger; of anything else the later. */
function largerOf(first: unknown, later: unknown): unknown {
  return typeof first === "number" && typeof later === "number" ? Math.max(first, later) : later;
}

function count(value: number | null | undefined): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
