import type { Usage } from "../contracts/message.ts";
import type { Price, ProviderRequest } from "../contracts/provider.ts";
import type { Estimate } from "./ledger.ts";

/** A reply that is assumed where a request names no maximum. */
const assumedOutputTokens = 1_024;
const charsPerToken = 3;

/** What a call will use at the most likely, in tokens and dollars, before it is made. */
export function estimateOf(wire: ProviderRequest, price: Price | undefined): Estimate {
  const chars = wire.messages.reduce((sum, message) => sum + message.text.length + 20, 0);
  const input = Math.ceil(chars / charsPerToken);
  const output = wire.sampling.maxTokens ?? assumedOutputTokens;
  const usd = price === undefined ? 0 : (input * price.input + output * price.output) / 1_000_000;
  return { tokens: input + output, usd };
}

/** What a call cost, in dollars; 0 without a price. */
export function costOf(usage: Usage, price: Price | undefined): number {
  if (price === undefined) return 0;
  const cached =
    usage.cacheRead * (price.cacheRead ?? price.input) +
    usage.cacheWrite * (price.cacheWrite ?? price.input);
  return (usage.input * price.input + cached + usage.output * price.output) / 1_000_000;
}
