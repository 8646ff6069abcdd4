import type { Rate } from "../program/program.ts";

/** A call that went out: when, and with how many tokens. */
export interface Sent {
  readonly at: number;
  tokens: number;
}

/** What an account allows in a span of time. */
export interface AccountRate extends Rate {
  readonly of: "requests" | "tokens";
}

/** When a call may go out, and what it waits for. */
interface Start {
  readonly at: number;
  readonly reason: AccountRate["of"];
}

/**
 * The earliest time from `from` on at which a call with so many tokens may go out so that no span of time holds more than
 * a rate allows; `sent` is in the order of time. A call of more tokens than a rate allows at all waits until it is alone.
 */
export function earliestStart(
  sent: readonly Sent[],
  tokens: number,
  rates: readonly AccountRate[],
  from: number,
): Start {
  let start: Start = { at: from, reason: "requests" };
  for (const rate of rates) {
    const at = freeAt(sent, rate.of === "requests" ? () => 1 : (one) => one.tokens, {
      rate,
      need: rate.of === "requests" ? 1 : tokens,
    });
    if (at > start.at) start = { at, reason: rate.of };
  }
  return start;
}

/** When what is needed fits into a rate: once the newest call that leaves too little room is out of its span. */
function freeAt(
  sent: readonly Sent[],
  weightOf: (one: Sent) => number,
  { rate, need }: { readonly rate: Rate; readonly need: number },
): number {
  let room = rate.count - Math.min(need, rate.count);
  for (let index = sent.length - 1; index >= 0; index--) {
    const one = sent[index] as Sent;
    room -= weightOf(one);
    if (room < 0) return one.at + rate.perMs;
  }
  return Number.NEGATIVE_INFINITY;
}
