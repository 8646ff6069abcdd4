import type { Spending } from "../contracts/event.ts";
import type { Usage } from "../contracts/message.ts";
import { NO_USAGE } from "../contracts/provider.ts";
import { addUsage, type Estimate, totalTokens } from "./model-cost.ts";
import type { Reservation } from "./reply-room.ts";

const NOTHING: Estimate = { tokens: 0, usd: 0 };

/** What was used under one ledger, what calls under way may still use, and how many of them there can be. */
export class Tally {
  modelCalls = 0;
  /** Those beyond the worst case: calls that failed and were made again. */
  retries = 0;
  toolCalls = 0;
  /** How many calls can be under way at one time. */
  lanes = 1;
  #usage: Usage = NO_USAGE;
  #usd = 0;
  /** For calls under way. */
  #reserved: Estimate = NOTHING;
  /** What calls that failed have sent: an endpoint may count it. */
  #lost: Estimate = NOTHING;
  #underWay = 0;

  /** Lanes that no call uses. */
  get freeLanes(): number {
    return Math.max(1, this.lanes - this.#underWay);
  }

  /** True when no call is under way. */
  get isSettled(): boolean {
    return this.#underWay === 0;
  }

  /** Tokens and dollars that are used, reserved or lost. */
  taken(): Estimate {
    return {
      tokens: totalTokens(this.#usage) + this.#reserved.tokens + this.#lost.tokens,
      usd: this.#usd + this.#reserved.usd + this.#lost.usd,
    };
  }

  spending(): Spending {
    const { modelCalls, toolCalls } = this;
    return { modelCalls, toolCalls, usage: this.#usage, usd: this.#usd };
  }

  take({ input, reply }: Reservation): void {
    this.modelCalls += 1;
    this.#underWay += 1;
    this.#reserved = sum(this.#reserved, sum(input, reply));
  }

  /** Replaces a reservation by what was used. */
  settle(reservation: Reservation, usage: Usage, usd: number): void {
    this.#giveBack(reservation);
    this.#usage = addUsage(this.#usage, usage);
    this.#usd += usd;
  }

  /** Ends a call without a reply. */
  lose(reservation: Reservation): void {
    this.#giveBack(reservation);
    this.#lost = sum(this.#lost, reservation.input);
  }

  #giveBack({ input, reply }: Reservation): void {
    this.#underWay -= 1;
    // From nothing again: money is counted in fractions, and what they leave behind must not add up.
    this.#reserved = this.isSettled ? NOTHING : sum(this.#reserved, sum(input, reply), -1);
  }
}

function sum(a: Estimate, b: Estimate, sign: 1 | -1 = 1): Estimate {
  return { tokens: a.tokens + sign * b.tokens, usd: a.usd + sign * b.usd };
}
