import type { DeadLetter } from "@loopwright/core";
import { lockOutput } from "./batch-lock.ts";
import { readPin } from "./batch-pin.ts";
import { pathIn } from "./batch-places.ts";
import { OutputFile, readOutput } from "./output-file.ts";

/** The output of the batch that letters come from. */
export interface LetterOutput {
  readonly path: string;
  readonly file: OutputFile;
  /** The rows that have a value, and the run that gave it. */
  readonly rows: ReadonlyMap<number, string>;
  /** Whether its batch was begun as a dry run. */
  readonly isDry: boolean;
}

/** The outputs of letters, locked by this process while it runs them again. */
export class RetryOutputs {
  readonly #root: string;
  readonly #releases = new Map<string, () => void>();
  readonly #outputs = new Map<string, LetterOutput>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Locks, reads and opens the outputs of the batches that letters come from. */
  async open(letters: readonly DeadLetter[]): Promise<void> {
    for (const letter of letters) {
      const path = this.#pathOf(letter);
      if (path === undefined || this.#outputs.has(path)) continue;
      this.#releases.set(path, lockOutput(path));
      const rows = new Map<number, string>();
      const found = await readOutput(path, ({ row, runId }) => rows.set(row, runId));
      const isDry = readPin(path)?.dryRun === true;
      this.#outputs.set(path, { path, rows, isDry, file: new OutputFile(path, found) });
    }
  }

  /** Undefined for a letter that no batch wrote. */
  of(letter: DeadLetter): LetterOutput | undefined {
    const path = this.#pathOf(letter);
    return path === undefined ? undefined : this.#outputs.get(path);
  }

  /** What letters of one row share; undefined for a letter of no row. */
  rowKey(letter: DeadLetter): string | undefined {
    const path = this.#pathOf(letter);
    const row = rowOf(letter);
    return path === undefined || row === undefined ? undefined : `${row}:${path}`;
  }

  /** The run that gave the row of a letter its value. */
  valueOf(letter: DeadLetter): string | undefined {
    const row = rowOf(letter);
    return row === undefined ? undefined : this.of(letter)?.rows.get(row);
  }

  close(): void {
    for (const { file } of this.#outputs.values()) file.close();
    for (const release of this.#releases.values()) release();
  }

  #pathOf({ origin }: DeadLetter): string | undefined {
    const to = origin?.["to"];
    return typeof to === "string" ? pathIn(this.#root, to) : undefined;
  }
}

function rowOf({ origin }: DeadLetter): number | undefined {
  const row = origin?.["row"];
  return typeof row === "number" ? row : undefined;
}
