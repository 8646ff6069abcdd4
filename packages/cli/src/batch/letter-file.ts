import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { type DeadLetter, type DeadLetters, readDeadLetters } from "@loopwright/core";
import type { Arguments } from "../arguments.ts";
import { CommandError } from "../command-error.ts";
import { checkProgram } from "../compile-program.ts";
import { nearestName } from "../nearest-name.ts";
import type { OpenedApp } from "../open-app.ts";
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
  if (existsSync(file)) return resolve(file);
  throw new CommandError(`${file} does not exist; a batch writes its dead letters beside --to`);
}

/** Reads a file of dead letters. */
export async function readLetters(file: string): Promise<DeadLetters> {
  try {
    return await readDeadLetters(file);
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    throw new CommandError(`${file} can't be read (${String(code)})`);
  }
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
