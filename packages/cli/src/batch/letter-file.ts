import { existsSync } from "node:fs";
import { extname, relative } from "node:path";
import { type DeadLetter, type DeadLetters, isLetterFile, readDeadLetters } from "@loopwright/core";
import type { Arguments } from "../arguments.ts";
import { CommandError } from "../command-error.ts";
import { checkProgram } from "../compile-program.ts";
import { counted } from "../diagnostic-text.ts";
import { nearestName } from "../nearest-name.ts";
import type { OpenedApp } from "../open-app.ts";
import { requireFile } from "../read-file.ts";
import { readSettings } from "../read-settings.ts";

/** The file of dead letters that an argument means: itself, or the one that a spec's output names. */
export async function letterFile(
  opened: OpenedApp,
  file: string,
  given: Arguments,
): Promise<string> {
  const isSpec = [".yaml", ".yml"].includes(extname(file).toLowerCase());
  if (isSpec) {
    const { output } = await checkProgram(opened, file, readSettings(given));
    if (output?.deadLetter !== undefined) return output.deadLetter;
    throw new CommandError(
      `${file} names no dead letters; name the file itself, or write \`output: { deadLetter: PATH }\``,
    );
  }
  if (!existsSync(file))
    throw new CommandError(`${file} does not exist; a batch writes its dead letters beside --to`);
  return requireFile(file, "");
}

/** Reads a file of dead letters. */
export async function readLetters(file: string): Promise<DeadLetters> {
  let isOne = false;
  try {
    isOne = await isLetterFile(file);
    if (isOne) return await readDeadLetters(file);
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    throw new CommandError(`${file} can't be read (${String(code)})`);
  }
  throw new CommandError(
    `${file} is no file of dead letters; a batch names its own at the end, and writes it beside --to as NAME.dead.jsonl`,
  );
}

const MOST_NOTES = 5;

/** The first of many notes, and how many follow. */
export function fewOf(
  notes: readonly string[],
  restText: (count: number) => string,
): readonly string[] {
  if (notes.length <= MOST_NOTES) return notes;
  return [...notes.slice(0, MOST_NOTES), restText(notes.length - MOST_NOTES)];
}

/** Tells which lines of a file of dead letters are skipped, and why. */
export function brokenNotes(file: string, broken: DeadLetters["broken"]): readonly string[] {
  const near = relative(process.cwd(), file);
  const path = near.startsWith("..") ? file : near;
  return fewOf(
    broken.map(({ line, message }) => `${path} line ${line} is skipped: it ${message}`),
    (count) => `${path}: ${counted(count, "more line")} skipped`,
  );
}

/** How many characters of an id are shown. */
export const SHORT_ID = 8;

/** The open letter whose id is given, or begins so. */
export function findLetter(letters: readonly DeadLetter[], id: string): DeadLetter {
  const exact = letters.filter((letter) => letter.id === id);
  const matches = exact.length > 0 ? exact : letters.filter((letter) => letter.id.startsWith(id));
  const [match] = matches;
  if (match !== undefined && matches.length === 1 && id !== "") return match;
  if (matches.length > 1)
    throw new CommandError(`${matches.length} dead letters begin with \`${id}\`; give more of it`);
  const near = nearestName(
    id.slice(0, SHORT_ID),
    letters.map((letter) => letter.id.slice(0, SHORT_ID)),
  );
  const hint =
    near === undefined ? "loopwright dead-letters list shows them" : `did you mean \`${near}\`?`;
  throw new CommandError(`no open dead letter begins with \`${id}\`; ${hint}`);
}
