import { type DeadLetter, readDeadLetters, resolveDeadLetter } from "@loopwright/core";
import { type BatchTally, NO_TALLY, withLetter, withRecord } from "./batch-tally.ts";
import { type FoundOutput, readOutput } from "./output-file.ts";

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
  /** Open letters of rows that are run again, by row. */
  readonly retried: ReadonlyMap<number, DeadLetter>;
  readonly found: FoundOutput;
  /** What a person should know of the files. */
  readonly notes: readonly string[];
}

/** Reads what earlier calls wrote: the output, and the open letters of its rows. */
export async function resumeBatch(files: BatchFiles, isRetried: boolean): Promise<ResumedBatch> {
  const settled = new Set<number>();
  let tally = NO_TALLY;
  const found = await readOutput(files.toPath, (record) => {
    if (settled.has(record.row)) return;
    settled.add(record.row);
    tally = withRecord(tally, record);
  });
  const retried = new Map<number, DeadLetter>();
  const letters = await lettersOf(files, settled);
  for (const [row, letter] of letters.byRow) {
    tally = withLetter(tally, letter, { isReplaced: isRetried });
    if (isRetried) retried.set(row, letter);
    else settled.add(row);
  }
  const notes = [
    ...found.broken.map((line) => `line ${line} of ${files.to} can't be read; its row runs again`),
    ...letters.broken.map(
      (line) => `line ${line} of the dead letters can't be read and is skipped`,
    ),
  ];
  return { settled, tally, retried, found, notes };
}

/** The open letter of each row; letters that a value or a later letter replaces are resolved. */
async function lettersOf(
  { to, deadLetters }: BatchFiles,
  withValue: ReadonlySet<number>,
): Promise<{
  readonly byRow: ReadonlyMap<number, DeadLetter>;
  readonly broken: readonly number[];
}> {
  const { open, broken } = await readDeadLetters(deadLetters);
  const byRow = new Map<number, DeadLetter>();
  for (const letter of open) {
    const row = rowOf(letter, to);
    if (row === undefined) continue;
    const earlier = byRow.get(row);
    const replaced = withValue.has(row) ? letter : earlier;
    if (replaced !== undefined)
      await resolveDeadLetter(deadLetters, replaced.id, letter.id, Date.now());
    if (!withValue.has(row)) byRow.set(row, letter);
  }
  return { byRow, broken: broken.map(({ line }) => line) };
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
