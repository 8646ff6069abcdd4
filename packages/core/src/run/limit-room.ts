import type { Spending } from "../contracts/event.ts";
import type { ErrorCode } from "../errors/error-codes.ts";
import type { Limits } from "../program/program.ts";
import { type CallNeed, type Estimate, totalTokens } from "./model-cost.ts";
import { minReplyTokens, type Room, roomForReply } from "./reply-room.ts";

/** A limit that holds too little, as its error tells it. */
export type Refusal = readonly [limit: string, code: ErrorCode, used: number, max: number];

/** The most tokens of a reply that limits can hold where so much is `used` or reserved, or the limit that holds too few. */
export function roomWithin(
  { tokens, usd }: Limits,
  used: Estimate,
  { input, maxTokens, usdPerReplyToken }: CallNeed,
  shared: Pick<Room, "lanes" | "isHeldBack">,
): number | Refusal {
  const least = Math.min(maxTokens ?? minReplyTokens, minReplyTokens);
  let room = Number.POSITIVE_INFINITY;
  if (tokens !== undefined) {
    room = roomForReply({
      ...shared,
      left: tokens - used.tokens,
      input: input.tokens,
      perToken: 1,
    });
    if (room < least) return ["tokens", "limit-tokens", used.tokens, tokens];
  }
  if (usd === undefined) return room;
  const inMoney = roomForReply({
    ...shared,
    left: usd - used.usd,
    input: input.usd,
    perToken: usdPerReplyToken,
  });
  if (inMoney < least) return ["usd", "limit-usd", used.usd, usd];
  return Math.min(room, inMoney);
}

/** The limit on tokens or money of which the greater share is used; undefined where neither is limited. */
export function fullestLimit({ tokens, usd }: Limits, spent: Spending): Refusal | undefined {
  const limits: readonly (readonly [string, ErrorCode, number, number | undefined])[] = [
    ["tokens", "limit-tokens", totalTokens(spent.usage), tokens],
    ["usd", "limit-usd", spent.usd, usd],
  ];
  const [most] = limits
    .flatMap(([limit, code, used, max]) =>
      max === undefined ? [] : [[limit, code, used, max] as const],
    )
    .toSorted((a, b) => shareOf(b) - shareOf(a));
  return most;
}

/** How much of a limit is used. */
export function shareOf([, , used, max]: Refusal): number {
  return max === 0 ? 1 : used / max;
}
