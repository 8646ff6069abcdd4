import type { Limits } from "../compile/program.ts";
import type { Spending } from "../contracts/event.ts";
import type { Usage } from "../contracts/message.ts";
import { NO_USAGE } from "../contracts/provider.ts";
import type { ErrorCode } from "../errors/error-codes.ts";
import { LimitError } from "../errors/loopwright-error.ts";

/** What a call is expected to use, reserved before it starts. */
export interface Estimate {
  readonly tokens: number;
  readonly usd: number;
}

/** How far a caller may go: the work, stages marked `always`, or the held-back conclusion. */
export type Purpose = "work" | "always" | "conclusion";

/** Told once for every limit that is reached. */
export type OnLimit = (limit: string, soft: boolean, used: number, max: number) => void;

const softShare = 0.8;

/** Counts what a run or a stage uses; reserves before a call, settles after it, never lets a hard limit be passed. */
export class Ledger {
  readonly #limits: Limits;
  readonly #parent: Ledger | undefined;
  readonly #reserve: number;
  /** False where the worst case can't pass the limit on model calls: then nothing is held back below it. */
  readonly #isReachable: boolean;
  readonly #onLimit: OnLimit;
  readonly #told = new Set<string>();
  #modelCalls = 0;
  #toolCalls = 0;
  #usage: Usage = NO_USAGE;
  #usd = 0;
  #reserved: Estimate = { tokens: 0, usd: 0 };
  /** True once the call held back for the conclusion is spent: nothing is held back for it any more. */
  #hasConcluded = false;

  /**
   * `reserve`: requests that stages marked `always` may need; `worstCase`: the most requests that the stages can make.
   * A ledger with a parent also counts there.
   */
  constructor(options: {
    readonly limits: Limits;
    readonly parent?: Ledger;
    readonly reserve?: number;
    readonly worstCase?: number;
    readonly onLimit: OnLimit;
  }) {
    this.#limits = options.limits;
    this.#parent = options.parent;
    this.#reserve = options.reserve ?? 0;
    const worstCase = options.worstCase ?? Number.POSITIVE_INFINITY;
    this.#isReachable = worstCase > (options.limits.modelCalls ?? 0);
    this.#onLimit = options.onLimit;
  }

  /** Takes one request and its estimate off every limit; throws a LimitError and takes nothing when one can't hold it. */
  reserveModelCall(estimate: Estimate, purpose: Purpose): void {
    for (const ledger of this.#chain()) ledger.#checkModelCall(estimate, purpose);
    for (const ledger of this.#chain()) ledger.#takeModelCall(estimate);
    if (purpose !== "conclusion") return;
    for (const ledger of this.#chain()) ledger.#hasConcluded = true;
  }

  /** Replaces an estimate by what was used. */
  settleModelCall(estimate: Estimate, usage: Usage, usd: number): void {
    for (const ledger of this.#chain()) {
      ledger.#reserved = {
        tokens: ledger.#reserved.tokens - estimate.tokens,
        usd: ledger.#reserved.usd - estimate.usd,
      };
      ledger.#usage = addUsage(ledger.#usage, usage);
      ledger.#usd += usd;
      ledger.#tellSoft();
    }
  }

  /** Takes as many tool calls as every limit still holds, at most `wanted`; where that is fewer, tells the limit and gives it as `refusal`. */
  reserveToolCalls(wanted: number): {
    readonly granted: number;
    readonly refusal?: LimitError;
  } {
    let granted = wanted;
    let refusal: LimitError | undefined;
    for (const ledger of this.#chain()) {
      const max = ledger.#limits.toolCalls;
      if (max !== undefined) granted = Math.min(granted, Math.max(0, max - ledger.#toolCalls));
    }
    for (const ledger of this.#chain()) {
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
    return this.#chain().some((ledger) => ledger.#softLimits().length > 0);
  }

  /** Marks a limit of time as reached, for the record. */
  tellTime(limit: "time" | "workTime", soft: boolean, usedMs: number, maxMs: number): void {
    this.#tell(limit, soft, usedMs, maxMs);
  }

  spending(): Spending {
    return {
      modelCalls: this.#modelCalls,
      toolCalls: this.#toolCalls,
      usage: this.#usage,
      usd: this.#usd,
    };
  }

  #chain(): readonly Ledger[] {
    return this.#parent === undefined ? [this] : [this, ...this.#parent.#chain()];
  }

  #checkModelCall(estimate: Estimate, purpose: Purpose): void {
    const { modelCalls, tokens, usd } = this.#limits;
    if (modelCalls !== undefined) {
      const max = modelCalls - this.#heldBack(purpose);
      if (this.#modelCalls + 1 > max)
        this.#refuse("modelCalls", "limit-model-calls", this.#modelCalls, modelCalls);
    }
    // One more call of this size is held back for the conclusion.
    const share = purpose === "conclusion" || this.#hasConcluded ? 1 : 2;
    if (tokens !== undefined) {
      const used = totalTokens(this.#usage) + this.#reserved.tokens;
      if (used + estimate.tokens * share > tokens)
        this.#refuse("tokens", "limit-tokens", used, tokens);
    }
    if (usd !== undefined) {
      const used = this.#usd + this.#reserved.usd;
      if (used + estimate.usd * share > usd) this.#refuse("usd", "limit-usd", used, usd);
    }
  }

  #heldBack(purpose: Purpose): number {
    if (this.#parent !== undefined || !this.#isReachable || purpose === "conclusion") return 0;
    const forConclusion = this.#hasConcluded ? 0 : 1;
    return purpose === "always" ? forConclusion : this.#reserve + forConclusion;
  }

  #takeModelCall(estimate: Estimate): void {
    this.#modelCalls += 1;
    this.#reserved = {
      tokens: this.#reserved.tokens + estimate.tokens,
      usd: this.#reserved.usd + estimate.usd,
    };
    this.#tellSoft();
  }

  #refuse(limit: string, code: ErrorCode, used: number, max: number): never {
    this.#tell(limit, false, used, max);
    throw this.#limitError(limit, code, used, max);
  }

  /** `details.of` says whose limit it is: a stage may go on after its own (`onError: continue`), never after the run's. */
  #limitError(limit: string, code: ErrorCode, used: number, max: number): LimitError {
    const of = this.#parent === undefined ? "run" : "stage";
    return new LimitError(code, limitMessage(limit, used, max), {
      details: { limit, used, max, of },
    });
  }

  #softLimits(): readonly (readonly [limit: string, used: number, max: number])[] {
    const { modelCalls, toolCalls, tokens, usd } = this.#limits;
    const held = this.#heldBack("work");
    const rows: readonly (readonly [string, number, number | undefined])[] = [
      ["modelCalls", this.#modelCalls, modelCalls === undefined ? undefined : modelCalls - held],
      ["toolCalls", this.#toolCalls, toolCalls],
      ["tokens", totalTokens(this.#usage), tokens],
      ["usd", this.#usd, usd],
    ];
    return rows.flatMap(([limit, used, max]) =>
      max !== undefined && used >= max * softShare ? [[limit, used, max] as const] : [],
    );
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

/** All tokens of a usage. */
function totalTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

function limitMessage(limit: string, used: number, max: number): string {
  const shown = limit === "usd" ? `$${used.toFixed(4)} of $${max}` : `${used} of ${max}`;
  return `limits.${limit} is reached (${shown} used; what is left is kept for a conclusion): raise it, or lower what the stages may use (\`loopwright explain\` shows the worst case)`;
}
