import type { JsonObject, Message, ProviderRequest, Sampling } from "@loopwright/core/plugin";
import { type ModelTraits, traitsOf } from "./claude-models.ts";

/** What the reply may take beside thinking where the spec says no `maxTokens`. */
const ANSWER_TOKENS = 8_192;
/** What thinking that counts its own tokens may take beside that. */
const ADAPTIVE_TOKENS = 16_384;
/** The smallest budget that the protocol takes, and the least that is left for the answer. */
const LEAST_TOKENS = 1_024;

type Effort = NonNullable<Sampling["effort"]>;

const BUDGETS: Readonly<Record<Exclude<Effort, "none">, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
};

/** How a request samples and thinks. */
export interface WireSampling {
  readonly fields: JsonObject;
  /** The effort, which goes beside the form of the output. */
  readonly effort?: string;
}

/** Translates sampling and effort for the model; `thinkingTokens` is the spec's own budget. */
export function toWireSampling(
  { model, messages, sampling }: ProviderRequest,
  thinkingTokens: number | undefined,
): WireSampling {
  const traits = traitsOf(model);
  const { temperature, stop = [], effort } = sampling;
  const thinking = toThinking(traits, messages, sampling, thinkingTokens);
  const isSilent =
    thinking.type === "disabled" || (thinking.type === undefined && !traits.thinksUnasked);
  // The protocol refuses a temperature while a model thinks.
  const cools = temperature !== undefined && traits.takesTemperature && isSilent;
  return {
    fields: {
      max_tokens: sampling.maxTokens ?? roomFor(thinking, traits),
      ...(thinking.type === undefined ? {} : { thinking: thinking as JsonObject }),
      ...(cools ? { temperature } : {}),
      ...(stop.length === 0 ? {} : { stop_sequences: stop }),
    },
    ...effortOf(traits, effort, thinkingTokens),
  };
}

interface Thinking {
  readonly type?: "disabled" | "enabled" | "adaptive";
  readonly budget_tokens?: number;
  readonly display?: "summarized";
}

function toThinking(
  traits: ModelTraits,
  messages: readonly Message[],
  { effort, maxTokens }: Sampling,
  own: number | undefined,
): Thinking {
  if (effort === "none") {
    return traits.thinksUnasked && traits.canStopThinking ? { type: "disabled" } : {};
  }
  const wanted = own ?? (effort === undefined ? undefined : BUDGETS[effort]);
  if (wanted === undefined || traits.thinking === "none") return {};
  if (own === undefined && traits.thinking === "adaptive")
    return { type: "adaptive", display: "summarized" };
  const room = maxTokens === undefined ? wanted : Math.min(wanted, maxTokens - LEAST_TOKENS);
  return room < LEAST_TOKENS || isUnthought(messages)
    ? {}
    : { type: "enabled", budget_tokens: room };
}

function effortOf(
  { thinking, canStopThinking }: ModelTraits,
  effort: Effort | undefined,
  own: number | undefined,
): { readonly effort?: string } {
  if (effort === undefined || own !== undefined || thinking !== "adaptive") return {};
  if (effort === "none") return canStopThinking ? {} : { effort: "low" };
  return { effort: effort === "minimal" ? "low" : effort };
}

function roomFor({ type, budget_tokens: budget = 0 }: Thinking, traits: ModelTraits): number {
  const thinks = type === "adaptive" || (type === undefined && traits.thinksUnasked);
  const { mostTokens = Number.POSITIVE_INFINITY } = traits;
  return Math.min(ANSWER_TOKENS + (thinks ? ADAPTIVE_TOKENS : budget), mostTokens);
}

/** True where the turn that goes on began with calls without thinking, by another model: a budget is then refused. */
function isUnthought(messages: readonly Message[]): boolean {
  const start = messages.findLastIndex(
    ({ role }, index) => role === "user" && messages[index - 1]?.role !== "tool",
  );
  const first = messages.slice(start + 1).find((message) => message.role === "assistant");
  return first !== undefined && first.toolCalls.length > 0 && first.opaque === undefined;
}
