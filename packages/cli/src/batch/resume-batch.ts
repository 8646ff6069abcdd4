import {
  type DeadLetter,
  type DeadLetters,
  readDeadLetters,
  resolveDeadLetter,
} from "@loopwright/core";
import { counted } from "../diagnostic-text.ts";
import {
  type BatchTally,
  costOf,
  NO_TALLY,
  withCost,
  withLetter,
  withRecord,
} from "./batch-tally.ts";
import { brokenNotes, fewOf } from "./letter-file.ts";
import { type FoundOutput, readOutput } from "./output-file.ts";
import { readSpent, settleLetter, type SpentRun } from "./spent-file.ts";

/** Where a batch reads and writes; `toPath` and the rest are absolute, `to` is how letters name the output. */
export interface BatchFiles {
  readonly to: string;
  readonly toPath: string;
  readonly deadLetters: string;
}

/** What earlier calls left. */
export interface ResumedBatch {
  /** Rows that are not run again. */
  readonly settled: Set<number>;
  readonly tally: BatchTally;
  /** Settled rows behind the last one that is wanted: their cost counts, and nothing else of them. */
  readonly beyondCount: number;
  /** The open letter of each row that is run again: its id and what it cost. */
  readonly retried: ReadonlyMap<number, SpentRun>;
  readonly found: FoundOutput;
  /** What a person should know of the files. */
  readonly notes: readonly string[];
}

/** Reads what earlier calls wrote: the output, the open letters of its rows, and what other runs took. */
export async function resumeBatch(
  files: BatchFiles,
  { isRetried, total }: { readonly isRetried: boolean; readonly total: number },
): Promise<ResumedBatch> {
  const settled = new Set<number>();
  let tally = NO_TALLY;
  let beyondCount = 0;
  const found = await readOutput(files.toPath, (record) => {
    if (settled.has(record.row)) return;
    settled.add(record.row);
    if (record.row > total) beyondCount += 1;
    tally = record.row > total ? withCost(tally, record.spending) : withRecord(tally, record);
  });
  const retried = new Map<number, SpentRun>();
  const letters = await lettersOf(files, settled);
  for (const [row, letter] of letters.byRow) {
    if (row > total) beyondCount += 1;
    tally = withLetter(tally, letter, { isReplaced: isRetried || row > total });
    if (isRetried) retried.set(row, costOf(letter));
    else settled.add(row);
  }
  for (const [id, cost] of await readSpent(files.toPath))
    if (!letters.openIds.has(id)) tally = withCost(tally, cost);
  const notes = [
    ...fewOf(
      found.broken.map((line) => `${files.to} line ${line} can't be read; its row runs again`),
      (count) => `${files.to}: ${counted(count, "more line")} can't be read`,
    ),
    ...brokenNotes(files.deadLetters, letters.broken),
  ];
  return { settled, tally, beyondCount, retried, found, notes };
}

/** The open letter of each row; letters that a value or a later letter replaces are resolved. */
async function lettersOf(
  { to, toPath, deadLetters }: BatchFiles,
  withValue: ReadonlySet<number>,
): Promise<{
  readonly byRow: ReadonlyMap<number, DeadLetter>;
  readonly openIds: ReadonlySet<string>;
  readonly broken: DeadLetters["broken"];
}> {
  const { open, broken } = await readDeadLetters(deadLetters);
  const byRow = new Map<number, DeadLetter>();
  for (const letter of open) {
    const row = rowOf(letter, to);
    if (row === undefined) continue;
    const earlier = byRow.get(row);
    const replaced = withValue.has(row) ? letter : earlier;
    if (replaced !== undefined)
      await settleLetter(toPath, deadLetters, costOf(replaced), letter.id);
    if (!withValue.has(row)) byRow.set(row, letter);
  }
  const openIds = new Set([...byRow.values()].map(({ id }) => id));
  return { byRow, openIds, broken };
}

/** The row that a letter is of, where it comes from a batch with this output. */
function rowOf({ origin }: DeadLetter, to: string): number | undefined {
  const row = origin?.["row"];
  return origin?.["to"] === to && typeof row === "number" ? row : undefined;
}

/** Forgets the letters of a batch that begins again. */
export async function dropLetters({ to, deadLetters }: BatchFiles): Promise<void> {
  const { open } = await readDeadLetters(deadLetters);
  for (const letter of open)
    if (rowOf(letter, to) !== undefined)
      await resolveDeadLetter(deadLetters, letter.id, "restarted", Date.now());
}
