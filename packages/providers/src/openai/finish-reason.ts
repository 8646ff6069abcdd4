import { type FinishReason, ProviderError } from "@loopwright/core/plugin";

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  eos: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  // Some servers say that they call and send no call.
  tool_calls: "stop",
  function_call: "stop",
  tool_use: "stop",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  content_filter: "content-filter",
  sensitive: "content-filter",
  safety: "content-filter",
  recitation: "content-filter",
  refusal: "content-filter",
};

/** The endpoint gave up on its way: what came is no reply. */
const BROKEN = new Set(["insufficient_system_resource", "network_error", "error", "abort"]);

/** Why a model stopped; calls that came count more than a reason that does not tell of them. */
export function toFinishReason(given: unknown, hasCalls: boolean): FinishReason {
  const word = typeof given === "string" ? given.toLowerCase() : "stop";
  if (BROKEN.has(word)) {
    throw new ProviderError(
      "provider-unavailable",
      `The endpoint broke off the reply (finish_reason \`${word}\`). Try again.`,
      { retryable: true, details: { finishReason: word } },
    );
  }
  const reason = Object.hasOwn(REASONS, word) ? REASONS[word] : "other";
  return hasCalls && reason !== "length" && reason !== "content-filter"
    ? "tool-calls"
    : (reason ?? "other");
}
