import { isLoopwrightError } from "@loopwright/core/plugin";
import type { ConfinedPath } from "../shared/confined-path.ts";
import { openTextFile } from "../shared/open-text-file.ts";
import { HEAD_BYTES, natureOf } from "../shared/text-encoding.ts";
import { readHead, textLines, type TextLine } from "../shared/text-lines.ts";
import type { LineFinder } from "./line-finder.ts";
import type { Matches } from "./matches.ts";

/** How many characters of a line are looked at. */
const MAX_LINE = 20_000;
const BATCH_LINES = 2_000;
const BATCH_CHARACTERS = 1_000_000;

/** How one file is searched. */
export interface FileSearch {
  readonly finder: LineFinder;
  readonly matches: Matches;
  /** True where the model named this very file: then it is told why it can't be read. */
  readonly isNamed: boolean;
  readonly signal: AbortSignal;
}

/** Adds the matches of one file; false where it can't be read as text. */
export async function searchFile(file: ConfinedPath, search: FileSearch): Promise<boolean> {
  const { signal, matches, isNamed } = search;
  try {
    const { handle } = await openTextFile(file);
    try {
      const nature = natureOf(await readHead(handle, HEAD_BYTES));
      if (nature.kind === "binary") return false;
      const lines = textLines(handle, { encoding: nature.encoding, maxLine: MAX_LINE, signal });
      await searchLines(file.wanted, lines, search);
    } finally {
      await handle.close();
    }
  } catch (fault) {
    signal.throwIfAborted();
    // Not text after all, or gone since it was listed; what a pattern did wrong is told.
    if (fault instanceof TypeError || (isFileFault(fault) && !isNamed)) return false;
    throw fault;
  } finally {
    matches.endFile();
  }
  return true;
}

async function searchLines(
  path: string,
  lines: AsyncIterable<TextLine>,
  { finder, matches }: FileSearch,
): Promise<void> {
  let number = 0;
  for await (const batch of batches(lines)) {
    const found = new Set(await finder.find(batch.map(({ text }) => text)));
    for (const [at, { text, cutCharacters }] of batch.entries())
      matches.add({
        path,
        number: ++number,
        text,
        isMatch: found.has(at),
        isCut: cutCharacters > 0,
      });
    if (matches.isFull) return;
  }
}

async function* batches(lines: AsyncIterable<TextLine>): AsyncGenerator<readonly TextLine[]> {
  let batch: TextLine[] = [];
  let characters = 0;
  for await (const line of lines) {
    batch.push(line);
    characters += line.text.length;
    if (batch.length < BATCH_LINES && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

function isFileFault(fault: unknown): boolean {
  if (isLoopwrightError(fault)) return fault.code === "tool-failed";
  return fault instanceof Error && "syscall" in fault;
}
