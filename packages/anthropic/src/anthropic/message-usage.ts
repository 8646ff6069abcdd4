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

/** The counts of a stream: what its end says stands over what its start said. */
export function laterTokens(
  first: WireTokens | null | undefined,
  later: WireTokens | null | undefined,
): WireTokens {
  const told = Object.entries(later ?? {}).filter(([, value]) => value !== null);
  return { ...first, ...Object.fromEntries(told) };
}

function count(value: number | null | undefined): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
