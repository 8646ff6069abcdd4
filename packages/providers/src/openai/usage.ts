import { NO_USAGE, type Usage } from "@loopwright/core/plugin";
import type { Profile } from "./profile-fields.ts";
import type { WireUsage } from "./wire.ts";

/** Normalises token counts: cached tokens come off the input, reasoning counts into the output. */
export function toUsage(usage: WireUsage | null | undefined, convention: Profile["usage"]): Usage {
  if (typeof usage !== "object" || usage === null) return NO_USAGE;
  const sent = usage.prompt_tokens_details ?? usage.input_tokens_details ?? {};
  const said = usage.completion_tokens_details ?? usage.output_tokens_details ?? {};
  const prompt = count(usage.prompt_tokens, usage.input_tokens);
  const completion = count(usage.completion_tokens, usage.output_tokens);
  const cacheRead = count(sent.cached_tokens, usage.prompt_cache_hit_tokens, usage.cached_tokens);
  const cacheWrite = count(sent.cache_creation_input_tokens, sent.cache_write_tokens);
  const told = count(said.reasoning_tokens);
  const beside = Math.max(0, count(usage.total_tokens) - prompt - completion);
  const reasoning = convention === "beside" ? Math.max(told, beside) : told;
  // Some vendors count reasoning beside the completion; their total tells.
  const isBeside = reasoning > 0 && beside === reasoning;
  return {
    input: Math.max(0, prompt - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: isBeside ? completion + reasoning : Math.max(completion, reasoning),
    reasoning,
  };
}

/** The first of some fields that counts anything; proxies write counts as text too. */
function count(...fields: readonly unknown[]): number {
  for (const field of fields) {
    const isText = typeof field === "string" && /^\s*\d+(?:\.\d+)?\s*$/.test(field);
    const value = isText ? Number(field) : field;
    if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  }
  return 0;
}
