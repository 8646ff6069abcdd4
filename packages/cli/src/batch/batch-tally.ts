import type { DeadLetter } from "@loopwright/core";
import type { BatchRecord } from "./batch-record.ts";
import type { RunCost, SpentRun } from "./spent-file.ts";

type Counts = Readonly<Record<string, number>>;

/** What a batch came to so far, over every call that wrote to its output. */
export interface BatchTally {
  /** Rows with a value, and of them those whose value is that there is no solution, and those that a limit ended. */
  readonly values: number;
  readonly unsolvable: number;
  readonly limited: number;
  /** Rows without a value, by code. */
  readonly failed: Counts;
  /** Rows in which a reply did not fit, by the code of the first such reply. */
  readonly misfits: Counts;
  /** Rows with a value whose replies were mended without asking again. */
  readonly repaired: number;
  /** Rows with a value after a reply was fed back. */
  readonly fedBack: number;
  /** Rows for which a model was asked. */
  readonly asked: number;
  /** Of them, those that got a reply. */
  readonly replied: number;
  readonly modelCalls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly usd: number;
}

/** Nothing yet. */
export const NO_TALLY: BatchTally = {
  values: 0,
  unsolvable: 0,
  limited: 0,
  failed: {},
  misfits: {},
  repaired: 0,
  fedBack: 0,
  asked: 0,
  replied: 0,
  modelCalls: 0,
  tokensIn: 0,
  tokensOut: 0,
  usd: 0,
};

/** Counts a row with a value in. */
export function withRecord(tally: BatchTally, record: BatchRecord): BatchTally {
  const { spending, rejected = [], repaired = [] } = record;
  const one = (is: boolean): number => (is ? 1 : 0);
  return {
    ...withCost(tally, spending),
    values: tally.values + 1,
    unsolvable: tally.unsolvable + one(!record.solvable),
    limited: tally.limited + one(record.outcome === "limited"),
    misfits: counted(tally.misfits, rejected[0]),
    repaired: tally.repaired + one(repaired.length > 0),
    fedBack: tally.fedBack + one(rejected.length > 0),
    asked: tally.asked + one(spending.modelCalls > 0),
    replied: tally.replied + one(spending.modelCalls > 0),
  };
}

/** Counts a dead letter in; of one that another letter or a value replaces, only what it cost. */
export function withLetter(
  tally: BatchTally,
  letter: DeadLetter,
  options: {
    readonly isReplaced?: boolean;
    readonly rejected?: readonly string[];
  } = {},
): BatchTally {
  const { usage, attempts, code } = letter;
  const { modelCalls } = costOf(letter);
  const { isReplaced = false } = options;
  const { rejected = attempts.map((attempt) => attempt.code) } = options;
  const cost = withCost(tally, costOf(letter));
  if (isReplaced) return cost;
  return {
    ...cost,
    failed: counted(tally.failed, code),
    misfits: counted(tally.misfits, rejected[0]),
    asked: tally.asked + (modelCalls > 0 ? 1 : 0),
    replied: tally.replied + (rejected.length > 0 || usage.output > 0 ? 1 : 0),
  };
}

/** What the run of a letter took. */
export function costOf({ id, usage, usd, attempts, ...letter }: DeadLetter): SpentRun {
  return { id, modelCalls: letter.modelCalls ?? attempts.length, usage, usd };
}

/** Counts in what a run took. */
export function withCost(tally: BatchTally, { modelCalls, usage, usd }: RunCost): BatchTally {
  const sent = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    ...tally,
    modelCalls: tally.modelCalls + modelCalls,
    tokensIn: tally.tokensIn + sent,
    tokensOut: tally.tokensOut + usage.output,
    usd: tally.usd + usd,
  };
}

/** How many rows have no value. */
export function failedCount({ failed }: Pick<BatchTally, "failed">): number {
  return sumOf(failed);
}

/** The sum of some counts. */
export function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function counted(counts: Counts, code: string | undefined): Counts {
  return code === undefined ? counts : { ...counts, [code]: (counts[code] ?? 0) + 1 };
}
