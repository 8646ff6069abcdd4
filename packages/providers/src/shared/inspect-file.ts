import { statSync } from "node:fs";
import { type FileFault, messageOf } from "@loopwright/core/plugin";
import { isPacked, readTextNow } from "./read-text.ts";

/** What is wrong in a text, and where; lines and columns count from 1. */
export interface TextFault {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  /** What to do about it, where that is known better than for the whole file. */
  readonly repair?: string;
}

interface Inspected {
  readonly version: string;
  readonly faults: readonly FileFault[];
}

const MAX_KEPT = 100;
const MAX_TOLD = 20;
const kept = new Map<string, Inspected>();

/** Tells what `faultsOf` finds in the text of a file; one that stays as it is is read once, so that an editor can ask often. */
export function inspectFile(
  file: string,
  faultsOf: (text: string) => readonly TextFault[],
  repair: string,
): readonly FileFault[] {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    const version = `${mtimeMs} ${size} ${ino} ${repair}`;
    const known = kept.get(file);
    if (known?.version === version) return known.faults;
    const found = faultsOf(readTextNow(file));
    const faults = capped(found).map((fault) => placed({ repair, ...fault }, file));
    kept.delete(file);
    kept.set(file, { version, faults });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return faults;
  } catch (thrown) {
    return [{ file, message: `it can't be read: ${messageOf(thrown)}` }];
  }
}

/** A file of another kind is wrong in every line: twenty say as much. */
function capped(faults: readonly TextFault[]): readonly TextFault[] {
  const rest = faults.length - MAX_TOLD;
  if (rest <= 0) return faults;
  return [...faults.slice(0, MAX_TOLD), { message: `${rest} more are wrong in this file` }];
}

function placed({ line, column, ...fault }: TextFault, file: string): FileFault {
  if (line === undefined) return { file, ...fault };
  if (isPacked(file)) return { file, ...fault, message: `line ${line}: ${fault.message}` };
  return { file, line, ...(column === undefined ? {} : { column }), ...fault };
}
