import type { Limits } from "../program/program.ts";
import type { Spending } from "../contracts/event.ts";
import type { Usage } from "../contracts/message.ts";
import { NO_USAGE } from "../contracts/provider.ts";
import { InternalError, type LimitError } from "../errors/loopwright-error.ts";
import { fullestLimit, type Refusal, roomWithin, shareOf } from "./limit-room.ts";
import { LimitTeller, type OnLimit } from "./limit-teller.ts";
import type { CallNeed } from "./model-cost.ts";
import { type Purpose, type PurposePlace, purposesAt } from "./purpose.ts";
import { type Reservation, reservationOf } from "./reply-room.ts";
import { type SoftLimit, softLimits } from "./soft-limits.ts";
import { Tally } from "./tally.ts";

/** What a ledger counts for. */
export interface LedgerOptions {
  readonly limits: Limits;
  /** The one above, which counts the same: the ledger is a stage's, or with `purposeAbove` that of an agent inside a run. */
  readonly parent?: Ledger;
  /** Others that count the same, beside those above: the pots of a tool, which all its calls in a run share; the stage whose plan is made again. */
  readonly beside?: readonly Ledger[];
  /** Requests that stages marked `always` may need. */
  readonly reserve?: number;
  /** The most requests that the stages can make. */
  readonly worstCase?: number;
  readonly onLimit: OnLimit;
  /** What calls count as above the ledger of an agent: its own stages that always run are the work of the run around it. */
  readonly purposeAbove?: Purpose;
  /** True when a limit of time is near that belongs to this ledger's stage. */
  readonly isTimeNear?: () => boolean;
  /** The tool whose pot it is. */
  readonly tool?: string;
}

/** Counts what a run, a stage or a tool uses; reserves before a call, settles after it, never lets a hard limit be passed. */
export class Ledger {
  #limits: Limits;
  /** This one and all that count the same. */
  readonly #chain: readonly Ledger[];
  readonly #reserve: number;
  readonly #worstCase: number;
  readonly #teller: LimitTeller;
  readonly #tally = new Tally();
  readonly #isTimeNear: () => boolean;
  /** True for what a conclusion is held back below: a run, or an agent inside one, and the pots of an agent that is a tool. */
  readonly #holdsBack: boolean;
  readonly #place: PurposePlace;
  readonly #places: readonly PurposePlace[];
  /** True once the call held back for the conclusion is spent: nothing is held back for it any more. */
  #hasConcluded = false;

  constructor(options: LedgerOptions) {
    const { limits, parent, beside = [], tool, purposeAbove } = options;
    const above = parent === undefined ? [] : parent.#chain;
    this.#limits = limits;
    // What lies above both counts once.
    this.#chain = [
      this,
      ...beside.flatMap((ledger) => ledger.#chain).filter((ledger) => !above.includes(ledger)),
      ...above,
    ];
    this.#reserve = options.reserve ?? 0;
    this.#worstCase = options.worstCase ?? Number.POSITIVE_INFINITY;
    this.#place = { isPot: tool !== undefined, purposeAbove };
    this.#places = this.#chain.map((one) => one.#place);
    this.#holdsBack = parent === undefined || purposeAbove !== undefined;
    const own = this.#holdsBack ? "run" : "stage";
    this.#teller = new LimitTeller(tool === undefined ? own : { tool }, options.onLimit);
    this.#isTimeNear = options.isTimeNear ?? (() => false);
  }

  /** True where tokens or money are limited, so that what a call needs must be known. */
  get isMetered(): boolean {
    return this.#chain.some((one) => (one.#limits.tokens ?? one.#limits.usd) !== undefined);
  }

  /** True when nothing is reserved at this one or above: every call that began has ended, and every lane is closed. */
  get isSettled(): boolean {
    return this.#chain.every((one) => one.#tally.isSettled && one.#tally.lanes === 1);
  }

  /** Replaces the limits; they hold from the next reservation on. */
  setLimits(limits: Limits): void {
    this.#limits = limits;
  }

  /** Tells that so many more calls can run beside each other from here on; returns the way back. */
  openLanes(more: number): () => void {
    for (const ledger of this.#chain) ledger.#tally.lanes += more;
    return () => {
      for (const ledger of this.#chain) ledger.#tally.lanes -= more;
    };
  }

  /** Takes one request, what it sends and the longest reply off every limit; throws a LimitError, and takes nothing, where one can't hold it. */
  reserveModelCall(need: CallNeed, purpose: Purpose): Reservation {
    const purposes = purposesAt(this.#places, purpose);
    for (const [index, ledger] of this.#chain.entries())
      ledger.#checkModelCalls(purposes[index] ?? purpose);
    const rooms = this.#chain.map((ledger, index) => {
      const room = ledger.#roomFor(need, purposes[index] ?? purpose);
      if (typeof room === "number") return room;
      throw ledger.#teller.reached(...room);
    });
    const maxTokens = Math.min(need.maxTokens ?? Number.POSITIVE_INFINITY, ...rooms);
    const reservation = reservationOf(need, maxTokens);
    for (const [index, ledger] of this.#chain.entries()) {
      ledger.#tally.take(reservation);
      if (purposes[index] === "conclusion" && !ledger.#place.isPot) ledger.#hasConcluded = true;
      ledger.#tellSoft();
    }
    return reservation;
  }

  /** Takes one request more than the bounds name, for a call that failed; undefined, and nothing taken, where a limit can't hold it. */
  reserveRetry(need: CallNeed, purpose: Purpose): Reservation | undefined {
    const purposes = purposesAt(this.#places, purpose);
    for (const ledger of this.#chain) ledger.#tally.retries += 1;
    if (this.#chain.every((ledger, index) => ledger.#holds(need, purposes[index] ?? purpose)))
      return { ...this.reserveModelCall(need, purpose), isRetry: true };
    for (const ledger of this.#chain) ledger.#tally.retries -= 1;
    return undefined;
  }

  /** Gives back what was taken for a call that never went out. */
  release(reservation: Reservation): void {
    for (const ledger of this.#chain) {
      const tally = ledger.#tally;
      tally.settle(reservation, NO_USAGE, 0);
      tally.modelCalls -= 1;
      if (reservation.isRetry === true) tally.retries -= 1;
    }
  }

  /** Replaces a reservation by what was used. */
  settleModelCall(reservation: Reservation, usage: Usage, usd: number): void {
    for (const ledger of this.#chain) {
      ledger.#tally.settle(reservation, usage, usd);
      ledger.#tellSoft();
    }
  }

  /** Ends a call without a reply: what it sent stays taken, because an endpoint may count it. */
  settleFailedCall(reservation: Reservation): void {
    for (const ledger of this.#chain) ledger.#tally.lose(reservation);
  }

  /** The error of the limit on tool calls that is used up, told; undefined where every one holds a further call. */
  refuseToolCall(): LimitError | undefined {
    let refusal: LimitError | undefined;
    for (const ledger of this.#chain) {
      const { toolCalls: used } = ledger.#tally;
      const { toolCalls: max } = ledger.#limits;
      if (max !== undefined && used >= max)
        refusal = ledger.#teller.reached("toolCalls", "limit-tool-calls", used, max);
    }
    return refusal;
  }

  /** Takes one tool call off every limit; the error of the one that is used up, and nothing taken, where one can't hold it. */
  reserveToolCall(): LimitError | undefined {
    const refusal = this.refuseToolCall();
    for (const ledger of refusal === undefined ? this.#chain : []) {
      ledger.#tally.toolCalls += 1;
      ledger.#tellSoft();
    }
    return refusal;
  }

  /** How many tool calls may still begin before such a share of every limit on them is used; a fraction counts as one. */
  toolCallsLeft(share: number): number {
    const left = this.#chain.map((ledger) => {
      const { toolCalls: max = Number.POSITIVE_INFINITY } = ledger.#limits;
      return Math.ceil(max * share - ledger.#tally.toolCalls);
    });
    return Math.max(0, Math.min(...left));
  }

  /** True when a soft limit is reached anywhere up the chain. */
  isNearLimit(): boolean {
    return this.#chain.some((ledger) => ledger.#isTimeNear() || ledger.#softLimits().length > 0);
  }

  /** Marks a limit of time as reached, for the record. */
  tellTime(limit: "time" | "workTime", soft: boolean, usedMs: number, maxMs: number): void {
    this.#teller.tell(limit, soft, usedMs, maxMs);
  }

  /** True for an error by which this ledger, or one above it, has refused. */
  hasRefused(thrown: unknown): boolean {
    return this.#chain.some((ledger) => ledger.#teller.made(thrown));
  }

  /**
   * The LimitError for a reply that had no room to end in: of the limit on tokens or money that is used up most. Undefined
   * beside other branches: there a share was too small, and they may still end well.
   */
  cutShort(): LimitError | undefined {
    if (this.#chain.some((ledger) => ledger.#tally.lanes > 1)) return undefined;
    const limits = this.#chain.flatMap((ledger) => {
      const reached = fullestLimit(ledger.#limits, ledger.spending());
      return reached === undefined ? [] : [{ ledger, reached }];
    });
    const [most] = limits.toSorted((a, b) => shareOf(b.reached) - shareOf(a.reached));
    return most === undefined ? undefined : most.ledger.#teller.reached(...most.reached);
  }

  spending(): Spending {
    return this.#tally.spending();
  }

  #checkModelCalls(purpose: Purpose): void {
    const { modelCalls: used, retries } = this.#tally;
    const concluding = purpose === "conclusion" || this.#hasConcluded ? 1 : 0;
    if (used + 1 > this.#worstCase + retries + concluding) {
      throw new InternalError(
        "contract-broken",
        `the stages ask for more than the ${this.#worstCase} model calls that their bounds name; a strategy's \`bounds\` must be a ceiling`,
      );
    }
    const { modelCalls } = this.#limits;
    if (modelCalls !== undefined && !this.#holdsCall(purpose))
      throw this.#teller.reached("modelCalls", "limit-model-calls", used, modelCalls);
  }

  #holds(need: CallNeed, purpose: Purpose): boolean {
    return this.#holdsCall(purpose) && typeof this.#roomFor(need, purpose) === "number";
  }

  #holdsCall(purpose: Purpose): boolean {
    const { modelCalls = Number.POSITIVE_INFINITY } = this.#limits;
    return this.#tally.modelCalls + 1 <= modelCalls - this.#heldBack(purpose);
  }

  /** The most tokens of a reply that this ledger's limits can hold, or the limit that holds too few. */
  #roomFor(need: CallNeed, purpose: Purpose): number | Refusal {
    return roomWithin(this.#limits, this.#tally.taken(), need, {
      lanes: this.#tally.freeLanes,
      isHeldBack: this.#holdsBack && purpose !== "conclusion" && !this.#hasConcluded,
    });
  }

  #heldBack(purpose: Purpose): number {
    if (!this.#holdsBack || purpose === "conclusion") return 0;
    // Where the worst case can't pass the limit, nothing is held back below it.
    const most = this.#worstCase + this.#tally.retries;
    if (most <= (this.#limits.modelCalls ?? 0)) return 0;
    const forConclusion = this.#hasConcluded ? 0 : 1;
    return purpose === "always" ? forConclusion : this.#reserve + forConclusion;
  }

  #softLimits(): readonly SoftLimit[] {
    const { modelCalls, toolCalls, tokens, usd } = this.#limits;
    // Most stages have none, and every call looks.
    if ((modelCalls ?? toolCalls ?? tokens ?? usd) === undefined) return [];
    return softLimits(this.#limits, this.spending(), this.#heldBack("work"));
  }

  #tellSoft(): void {
    for (const [limit, used, max] of this.#softLimits()) this.#teller.tell(limit, true, used, max);
  }
}
