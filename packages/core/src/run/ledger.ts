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
  readonly #onLimit: OnLimit;
  readonly #told = new Set<string>();
  #modelCalls = 0;
  #toolCalls = 0;
  #usage: Usage = NO_USAGE;
  #usd = 0;
  #reserved: Estimate = { tokens: 0, usd: 0 };

  /** `reserve`: requests that stages marked `always` may need. A ledger with a parent also counts there. */
  constructor(options: { limits: Limits; parent?: Ledger; reserve?: number; onLimit: OnLimit }) {
    this.#limits = options.limits;
    this.#parent = options.parent;
    this.#reserve = options.reserve ?? 0;
    this.#onLimit = options.onLimit;
  }

  /** Takes one request and its estimate off every limit; throws a LimitError and takes nothing when one can't hold it. */
  reserveModelCall(estimate: Estimate, purpose: Purpose): void {
    for (const ledger of this.#chain()) ledger.#checkModelCall(estimate, purpose);
    for (const ledger of this.#chain()) ledger.#takeModelCall(estimate);
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

  /** Takes as many tool calls as every limit still holds, at most `wanted`; tells the limit when that is fewer. */
  reserveToolCalls(wanted: number): number {
    let granted = wanted;
    for (const ledger of this.#chain()) {
      const max = ledger.#limits.toolCalls;
      if (max !== undefined) granted = Math.min(granted, Math.max(0, max - ledger.#toolCalls));
    }
    for (const ledger of this.#chain()) {
      ledger.#toolCalls += granted;
      const max = ledger.#limits.toolCalls;
      if (max !== undefined && granted < wanted)
        ledger.#tell("toolCalls", false, ledger.#toolCalls, max);
      ledger.#tellSoft();
    }
    return granted;
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
    const share = purpose === "conclusion" ? 1 : 2;
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
    if (this.#parent !== undefined || purpose === "conclusion") return 0;
    return purpose === "always" ? 1 : this.#reserve + 1;
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
    throw new LimitError(code, limitMessage(limit, used, max), { details: { limit, used, max } });
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
export function totalTokens(usage: Usage): number {
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
