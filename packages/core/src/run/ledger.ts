import type { Limits } from "../program/program.ts";
import type { Spending } from "../contracts/event.ts";
import type { Usage } from "../contracts/message.ts";
import { NO_USAGE } from "../contracts/provider.ts";
import type { ErrorCode } from "../errors/error-codes.ts";
import { InternalError, type LimitError } from "../errors/loopwright-error.ts";
import { limitError } from "./limit-error.ts";
import { addUsage, type CallNeed, type Estimate, totalTokens } from "./model-cost.ts";
import { fullestLimit, type Refusal, roomWithin, shareOf } from "./limit-room.ts";
import { type SoftLimit, softLimits } from "./soft-limits.ts";
import { type Reservation, reservationOf } from "./reply-room.ts";

/** How far a caller may go: the work, stages marked `always`, or the held-back conclusion. */
export type Purpose = "work" | "always" | "conclusion";

/** Told once for every limit that is reached. */
export type OnLimit = (limit: string, soft: boolean, used: number, max: number) => void;

/** Counts what a run or a stage uses; reserves before a call, settles after it, never lets a hard limit be passed. */
export class Ledger {
  readonly #limits: Limits;
  /** This one and all above it. */
  readonly #chain: readonly Ledger[];
  readonly #reserve: number;
  readonly #worstCase: number;
  /** False where there is nothing to look at. */
  readonly #isLimited: boolean;
  readonly #onLimit: OnLimit;
  readonly #told = new Set<string>();
  #modelCalls = 0;
  /** Those beyond the worst case: calls that failed and were made again. */
  #retries = 0;
  #toolCalls = 0;
  #usage: Usage = NO_USAGE;
  #usd = 0;
  /** For calls under way, and what calls that failed have sent. */
  #reserved: Estimate = { tokens: 0, usd: 0 };
  #underWay = 0;
  /** How many calls can be under way at one time. */
  #lanes = 1;
  readonly #isTimeNear: () => boolean;
  /** True for what a conclusion is held back below: a run, or an agent inside one. */
  readonly #holdsBack: boolean;
  /** What calls count as above the ledger of an agent: its own stages that always run are the work of the run around it. */
  readonly #purposeAbove: Purpose | undefined;
  readonly #refusals = new WeakSet<object>();
  /** True once the call held back for the conclusion is spent: nothing is held back for it any more. */
  #hasConcluded = false;

  /**
   * `reserve`: requests that stages marked `always` may need; `worstCase`: the most requests that the stages can make.
   * A ledger with a parent also counts there: it is a stage's, or with `purposeAbove` that of an agent inside a run.
   */
  constructor(options: {
    readonly limits: Limits;
    readonly parent?: Ledger;
    readonly reserve?: number;
    readonly worstCase?: number;
    readonly onLimit: OnLimit;
    readonly purposeAbove?: Purpose;
    /** True when a limit of time is near that belongs to this ledger's stage. */
    readonly isTimeNear?: () => boolean;
  }) {
    this.#limits = options.limits;
    this.#chain = options.parent === undefined ? [this] : [this, ...options.parent.#chain];
    this.#reserve = options.reserve ?? 0;
    const { modelCalls, toolCalls, tokens, usd } = options.limits;
    this.#isLimited = (modelCalls ?? toolCalls ?? tokens ?? usd) !== undefined;
    this.#worstCase = options.worstCase ?? Number.POSITIVE_INFINITY;
    this.#onLimit = options.onLimit;
    this.#purposeAbove = options.purposeAbove;
    this.#holdsBack = options.parent === undefined || options.purposeAbove !== undefined;
    this.#isTimeNear = options.isTimeNear ?? (() => false);
  }

  /** True where tokens or money are limited, so that what a call needs must be known. */
  get isMetered(): boolean {
    return this.#chain.some((one) => (one.#limits.tokens ?? one.#limits.usd) !== undefined);
  }

  /** Tells that so many more calls can run beside each other from here on; returns the way back. */
  openLanes(more: number): () => void {
    for (const ledger of this.#chain) ledger.#lanes += more;
    return () => {
      for (const ledger of this.#chain) ledger.#lanes -= more;
    };
  }

  /**
   * Takes one request, what it sends and the longest reply that may come back off every limit; throws a LimitError and
   * takes nothing when one can't hold it.
   */
  reserveModelCall(need: CallNeed, purpose: Purpose): Reservation {
    const chain = this.#chain;
    const purposes = this.#purposesOf(purpose);
    for (const [index, ledger] of chain.entries())
      ledger.#checkModelCalls(purposes[index] ?? purpose);
    const rooms = chain.map((ledger, index) => {
      const room = ledger.#roomFor(need, purposes[index] ?? purpose);
      return typeof room === "number" ? room : ledger.#refuse(...room);
    });
    const maxTokens = Math.min(need.maxTokens ?? Number.POSITIVE_INFINITY, ...rooms);
    const reservation = reservationOf(need, maxTokens);
    for (const ledger of chain) ledger.#take(reservation);
    for (const [index, ledger] of chain.entries())
      if (purposes[index] === "conclusion") ledger.#hasConcluded = true;
    return reservation;
  }

  /** Takes one request more than the bounds name, for a call that failed; undefined, and nothing taken, where a limit can't hold it. */
  reserveRetry(need: CallNeed, purpose: Purpose): Reservation | undefined {
    const purposes = this.#purposesOf(purpose);
    for (const ledger of this.#chain) ledger.#retries += 1;
    if (this.#chain.every((ledger, index) => ledger.#holds(need, purposes[index] ?? purpose)))
      return { ...this.reserveModelCall(need, purpose), isRetry: true };
    for (const ledger of this.#chain) ledger.#retries -= 1;
    return undefined;
  }

  /** Gives back what was taken for a call that never went out. */
  release(reservation: Reservation): void {
    this.settleModelCall(reservation, NO_USAGE, 0);
    for (const ledger of this.#chain) {
      ledger.#modelCalls -= 1;
      if (reservation.isRetry === true) ledger.#retries -= 1;
    }
  }

  /** Replaces a reservation by what was used. */
  settleModelCall({ input, reply }: Reservation, usage: Usage, usd: number): void {
    for (const ledger of this.#chain) {
      ledger.#giveBack(input);
      ledger.#giveBack(reply);
      ledger.#underWay -= 1;
      ledger.#usage = addUsage(ledger.#usage, usage);
      ledger.#usd += usd;
      ledger.#tellSoft();
    }
  }

  /** Ends a call without a reply: what it sent stays taken, because an endpoint may count it. */
  settleFailedCall({ reply }: Reservation): void {
    for (const ledger of this.#chain) {
      ledger.#giveBack(reply);
      ledger.#underWay -= 1;
    }
  }

  /** Takes as many tool calls as every limit still holds, at most `wanted`; where that is fewer, tells the limit and gives it as `refusal`. */
  reserveToolCalls(wanted: number): {
    readonly granted: number;
    readonly refusal?: LimitError;
  } {
    let granted = wanted;
    let refusal: LimitError | undefined;
    for (const ledger of this.#chain) {
      const max = ledger.#limits.toolCalls;
      if (max !== undefined) granted = Math.min(granted, Math.max(0, max - ledger.#toolCalls));
    }
    for (const ledger of this.#chain) {
      ledger.#toolCalls += granted;
      const max = ledger.#limits.toolCalls;
      if (max !== undefined && granted < wanted && ledger.#toolCalls >= max) {
        ledger.#tell("toolCalls", false, ledger.#toolCalls, max);
        refusal = ledger.#limitError("toolCalls", "limit-tool-calls", ledger.#toolCalls, max);
      }
      ledger.#tellSoft();
    }
    return refusal === undefined ? { granted } : { granted, refusal };
  }

  /** True when a soft limit is reached anywhere up the chain. */
  isNearLimit(): boolean {
    return this.#chain.some((ledger) => ledger.#isTimeNear() || ledger.#softLimits().length > 0);
  }

  /** Marks a limit of time as reached, for the record. */
  tellTime(limit: "time" | "workTime", soft: boolean, usedMs: number, maxMs: number): void {
    this.#tell(limit, soft, usedMs, maxMs);
  }

  /** True for a limit that this ledger, or one above it, has told by an error. */
  hasRefused(thrown: unknown): boolean {
    return this.#chain.some((ledger) => ledger.#refusals.has(thrown as object));
  }

  /**
   * The LimitError for a reply that had no room to end in: of the limit on tokens or money that is used up most. Undefined
   * beside other branches: there a share was too small, and they may still end well.
   */
  cutShort(): LimitError | undefined {
    if (this.#chain.some((ledger) => ledger.#lanes > 1)) return undefined;
    const limits = this.#chain.flatMap((ledger) => {
      const reached = fullestLimit(ledger.#limits, ledger.spending());
      return reached === undefined ? [] : [{ ledger, reached }];
    });
    const [most] = limits.toSorted((a, b) => shareOf(b.reached) - shareOf(a.reached));
    if (most === undefined) return undefined;
    const [limit, , used, max] = most.reached;
    most.ledger.#tell(limit, false, used, max);
    return most.ledger.#limitError(...most.reached);
  }

  spending(): Spending {
    return {
      modelCalls: this.#modelCalls,
      toolCalls: this.#toolCalls,
      usage: this.#usage,
      usd: this.#usd,
    };
  }

  /** What a call is for at each ledger of the chain. */
  #purposesOf(purpose: Purpose): readonly Purpose[] {
    let current = purpose;
    return this.#chain.map((ledger) => {
      const own = current;
      current = ledger.#purposeAbove ?? current;
      return own;
    });
  }

  #checkModelCalls(purpose: Purpose): void {
    const { modelCalls } = this.#limits;
    const concluding = purpose === "conclusion" || this.#hasConcluded ? 1 : 0;
    if (this.#modelCalls + 1 > this.#worstCase + this.#retries + concluding) {
      throw new InternalError(
        "contract-broken",
        `the stages ask for more than the ${this.#worstCase} model calls that their bounds name; a strategy's \`bounds\` must be a ceiling`,
      );
    }
    if (modelCalls !== undefined && !this.#holdsCall(purpose))
      this.#refuse("modelCalls", "limit-model-calls", this.#modelCalls, modelCalls);
  }

  #holds(need: CallNeed, purpose: Purpose): boolean {
    return this.#holdsCall(purpose) && typeof this.#roomFor(need, purpose) === "number";
  }

  #holdsCall(purpose: Purpose): boolean {
    const { modelCalls = Number.POSITIVE_INFINITY } = this.#limits;
    return this.#modelCalls + 1 <= modelCalls - this.#heldBack(purpose);
  }

  /** The most tokens of a reply that this ledger's limits can hold, or the limit that holds too few. */
  #roomFor(need: CallNeed, purpose: Purpose): number | Refusal {
    const used = {
      tokens: totalTokens(this.#usage) + this.#reserved.tokens,
      usd: this.#usd + this.#reserved.usd,
    };
    return roomWithin(this.#limits, used, need, {
      lanes: Math.max(1, this.#lanes - this.#underWay),
      isHeldBack: this.#holdsBack && purpose !== "conclusion" && !this.#hasConcluded,
    });
  }

  #heldBack(purpose: Purpose): number {
    if (!this.#holdsBack || !this.#isReachable() || purpose === "conclusion") return 0;
    const forConclusion = this.#hasConcluded ? 0 : 1;
    return purpose === "always" ? forConclusion : this.#reserve + forConclusion;
  }

  /** False where the worst case can't pass the limit on model calls: then nothing is held back below it. */
  #isReachable(): boolean {
    return this.#worstCase + this.#retries > (this.#limits.modelCalls ?? 0);
  }

  #take({ input, reply }: Reservation): void {
    this.#modelCalls += 1;
    this.#underWay += 1;
    this.#reserved = {
      tokens: this.#reserved.tokens + input.tokens + reply.tokens,
      usd: this.#reserved.usd + input.usd + reply.usd,
    };
    this.#tellSoft();
  }

  #giveBack(part: Estimate): void {
    if (part.tokens === 0 && part.usd === 0) return;
    this.#reserved = {
      tokens: this.#reserved.tokens - part.tokens,
      usd: this.#reserved.usd - part.usd,
    };
  }

  #refuse(limit: string, code: ErrorCode, used: number, max: number): never {
    this.#tell(limit, false, used, max);
    throw this.#limitError(limit, code, used, max);
  }

  #limitError(limit: string, code: ErrorCode, used: number, max: number): LimitError {
    const of = this.#holdsBack ? "run" : "stage";
    const error = limitError(code, { limit, used, max, of });
    this.#refusals.add(error);
    return error;
  }

  #softLimits(): readonly SoftLimit[] {
    if (!this.#isLimited) return [];
    return softLimits(this.#limits, this.spending(), this.#heldBack("work"));
  }

  #tellSoft(): void {
    for (const [limit, used, max] of this.#softLimits()) this.#tell(limit, true, used, max);
  }

  #tell(limit: string, soft: boolean, used: number, max: number): void {
    const mark = `${limit}:${soft}`;
    if (this.#told.has(mark)) return;
    this.#told.add(mark);
    this.#onLimit(limit, soft, used, max);
  }
}
