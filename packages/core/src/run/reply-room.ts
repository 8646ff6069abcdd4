import type { CallNeed, Estimate } from "./model-cost.ts";

/** What was taken off the limits for one call. */
export interface Reservation {
  readonly input: Estimate;
  readonly reply: Estimate;
  /** The most tokens that the reply may have; missing where nothing bounds it. */
  readonly maxTokens?: number;
  /** True for a call beyond what the bounds name, made because one failed. */
  readonly isRetry?: true;
}

/** A call whose reply would get fewer tokens than this is refused: no answer fits into it. */
export const minReplyTokens = 64;

/** The words that are held back for the conclusion, beside what it has to read. */
const concludingTokens = 256;

/** What a limit on tokens or money still holds, in its own unit, and what a call takes of it. */
export interface Room {
  /** Neither used nor reserved. */
  readonly left: number;
  /** What the call sends. */
  readonly input: number;
  /** What one token of a reply takes. */
  readonly perToken: number;
  /** How many calls may still start beside each other, this one too. */
  readonly lanes: number;
  /** True where enough for a conclusion is held back. */
  readonly isHeldBack: boolean;
}

/**
 * How many tokens a reply may have so that the limit holds; less than nothing where not even the input fits.
 *
 * Held back for the conclusion is a call that reads what this one reads, its reply too, and writes some words. Calls
 * that may run beside each other share what is left, as far as a share is of use.
 */
export function roomForReply({ left, input, perToken, lanes, isHeldBack }: Room): number {
  const parts = isHeldBack ? 2 : 1;
  const work = isHeldBack ? left - input - perToken * concludingTokens : left;
  const least = input + perToken * minReplyTokens * parts;
  const room = Math.max(work / lanes, Math.min(work, least)) - input;
  if (room < 0) return -1;
  return perToken === 0 ? Number.POSITIVE_INFINITY : Math.floor(room / parts / perToken);
}

/** What is taken off for a call whose reply may have so many tokens. */
export function reservationOf(
  { input, usdPerReplyToken }: CallNeed,
  maxTokens: number,
): Reservation {
  if (!Number.isFinite(maxTokens)) return { input, reply: { tokens: 0, usd: 0 } };
  return { input, reply: { tokens: maxTokens, usd: maxTokens * usdPerReplyToken }, maxTokens };
}
