import type { OutputDeclaration } from "../program/program.ts";
import { defaultRepair } from "../output/default-repair.ts";
import type { SpecError } from "../errors/loopwright-error.ts";
import type { ModelReply } from "./model-request.ts";
import type { Frame } from "./run-scope.ts";

/** What was wrong with a reply: its form, or what the checks of the output found in an answer of the right form. */
export type FaultKind = "format" | "checks";

/** How often the faults of one generation may still be fed back, and what its next try may say. */
export class RepairBudget {
  readonly #left: Record<FaultKind, number>;
  #rejected = 0;
  #hasRaised = false;
  readonly #broken = new Set<string>();

  constructor(left: Readonly<Record<FaultKind, number>>) {
    this.#left = { ...left };
  }

  /** Counts a reply that was refused: which attempt it was, of how many there may be. */
  reject(kind: FaultKind): { readonly attempt: number; readonly attempts: number } {
    this.#rejected += 1;
    const left = this.#left[kind];
    if (left > 0) this.#left[kind] = left - 1;
    return { attempt: this.#rejected, attempts: this.#rejected + left };
  }

  /** True where a fault of this kind can be fed back once more. */
  canRepair(kind: FaultKind): boolean {
    return this.#left[kind] > 0;
  }

  /** True where the same rule of the output could not be computed for an earlier reply either: then the rule is what to mend. */
  isBrokenAgain(rule: SpecError | undefined): boolean {
    if (rule === undefined) return false;
    const isKnown = this.#broken.has(rule.message);
    this.#broken.add(rule.message);
    return isKnown;
  }

  /** The limit for the reply after one that was cut: twice what that one was allowed, once; undefined where it stays. Where none was sent, the endpoint's own is unknown and may be the most that the model can write. */
  raisedLimit({ maxTokens, isCapped }: ModelReply): number | undefined {
    if (this.#hasRaised || isCapped === true || maxTokens === undefined) return undefined;
    this.#hasRaised = true;
    return 2 * maxTokens;
  }
}

/** The budget of one generation; a conclusion has one call. */
export function repairBudget({ purpose, run }: Frame): RepairBudget {
  const { repair: format, checkRepair: checks } = repairsOf(run.linked.program.output);
  return new RepairBudget(purpose === "conclusion" ? { format: 0, checks: 0 } : { format, checks });
}

function repairsOf(
  output: OutputDeclaration | undefined,
): Pick<OutputDeclaration, "repair" | "checkRepair"> {
  return output ?? { repair: defaultRepair, checkRepair: 0 };
}
