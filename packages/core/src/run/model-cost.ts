import type { AssistantMessage, Message, Usage } from "../contracts/message.ts";
import { NO_USAGE, type Price, type ProviderRequest } from "../contracts/provider.ts";

/** Tokens and dollars. */
export interface Estimate {
  readonly tokens: number;
  readonly usd: number;
}

/** What a call needs of the limits on tokens and money. */
export interface CallNeed {
  /** What is sent, by a careful estimate. */
  readonly input: Estimate;
  readonly usdPerReplyToken: number;
  /** The most tokens of a reply that the spec or the strategy asks for. */
  readonly maxTokens?: number;
}

/** A call that no limit on tokens or money looks at. */
export const NO_NEED: CallNeed = { input: { tokens: 0, usd: 0 }, usdPerReplyToken: 0 };

/** Tokenizers take about four characters of English and three of JSON for a token: two are on the safe side. */
const asciiCharsPerToken = 2;
/** What a message or a tool costs beside its text: its role, its marks. */
const tokensPerPart = 8;

/** Messages, tools and schemas never change and are sent again with every call: each is counted once. */
const counted = new WeakMap<object, number>();

/**
 * What a call needs before it is made: everything that is sent (messages with their calls, tools, the output's schema).
 *
 * The estimate is a ceiling for usual text, because a limit holds only as far as it is one: two ASCII characters a token,
 * every other character one, everything at the dearest of the prices for input.
 */
export function needOf(wire: ProviderRequest, price: Price | undefined): CallNeed {
  const { messages, tools, output, sampling } = wire;
  const parts = [...messages, ...tools, ...(output === undefined ? [] : [output.schema])];
  const tokens = parts.reduce((sum, part) => sum + countOnce(part), 0);
  const dearest = Math.max(price?.input ?? 0, price?.cacheRead ?? 0, price?.cacheWrite ?? 0);
  return {
    input: { tokens, usd: (tokens * dearest) / 1_000_000 },
    usdPerReplyToken: (price?.output ?? 0) / 1_000_000,
    ...(sampling.maxTokens === undefined ? {} : { maxTokens: sampling.maxTokens }),
  };
}

/** What a call took whose endpoint tells no counts: what was sent as `needOf` counts it, the reply by its characters. */
export function estimatedUsage(
  wire: ProviderRequest,
  { text, reasoning, toolCalls }: AssistantMessage,
): Usage {
  const thought = tokensOf(reasoning);
  const said = tokensOf(text) + (toolCalls.length === 0 ? 0 : tokensOf(asJson(toolCalls)));
  const { input } = needOf(wire, undefined);
  return { ...NO_USAGE, input: input.tokens, output: said + thought, reasoning: thought };
}

function countOnce(part: object): number {
  const known = counted.get(part);
  if (known !== undefined) return known;
  const count = tokensPerPart + tokensOf("role" in part ? sentText(part as Message) : asJson(part));
  counted.set(part, count);
  return count;
}

function sentText(message: Message): string {
  if (message.role !== "assistant") return message.text;
  const { text, reasoning, toolCalls, opaque } = message;
  // Reasoning goes back in the vendor's own fields, where there are any.
  const thought = opaque === undefined ? reasoning : asJson(opaque);
  return `${text}${thought}${toolCalls.length === 0 ? "" : asJson(toolCalls)}`;
}

function asJson(part: object): string {
  return JSON.stringify(part);
}

function tokensOf(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 128) ascii += 1;
  return Math.ceil(ascii / asciiCharsPerToken) + text.length - ascii;
}

/** What a call cost, in dollars; 0 without a price. */
export function costOf(usage: Usage, price: Price | undefined): number {
  if (price === undefined) return 0;
  const cached =
    usage.cacheRead * (price.cacheRead ?? price.input) +
    usage.cacheWrite * (price.cacheWrite ?? price.input);
  return (usage.input * price.input + cached + usage.output * price.output) / 1_000_000;
}

/** All tokens of a usage. */
export function totalTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}
