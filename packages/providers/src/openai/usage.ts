import { NO_USAGE, type Usage } from "@loopwright/core/plugin";
import type { Profile } from "./profile-fields.ts";
import type { WireUsage } from "./wire.ts";

/** Normalises token counts: cached tokens come off the input, reasoning counts into the output. */
export function toUsage(usage: WireUsage | null | undefined, convention: Profile["usage"]): Usage {
  if (typeof usage !== "object" || usage === null) return NO_USAGE;
  const input = usage.prompt_tokens_details ?? {};
  const prompt = count(usage.prompt_tokens);
  const completion = count(usage.completion_tokens);
  const cacheRead = count(
    input.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens,
  );
  const cacheWrite = count(input.cache_creation_input_tokens ?? input.cache_write_tokens);
  const told = count(usage.completion_tokens_details?.reasoning_tokens);
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

function count(value: number | null | undefined): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
