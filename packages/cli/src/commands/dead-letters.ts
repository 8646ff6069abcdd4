import { type DeadLetter, inFigures } from "@loopwright/core";
import type { Arguments } from "../arguments.ts";
import {
  brokenNotes,
  findLetter,
  letterFile,
  readLetters,
  SHORT_ID,
} from "../batch/letter-file.ts";
import { lettersTable, letterText, rowText } from "../batch/letter-text.ts";
import type { RetriedLetter } from "../batch/retry-desk.ts";
import { retryLetters } from "../batch/retry-letters.ts";
import { refusePositionals } from "../arguments.ts";
import { countIn } from "../batch/batch-options.ts";
import { type CommandError, usageError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { counted } from "../diagnostic-text.ts";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { Interrupts } from "../interrupts.ts";
import { nearestName } from "../nearest-name.ts";
import { neutralize } from "../neutralize.ts";
import { openApp, type OpenedApp, rootFor } from "../open-app.ts";
import { printJson } from "../print-json.ts";
import { readSettings } from "../read-settings.ts";
import { SILENT_TERMINAL } from "../batch/silent-terminal.ts";

interface Desk {
  readonly opened: OpenedApp;
  readonly given: Arguments;
  readonly file: string;
  readonly letters: readonly DeadLetter[];
  readonly resolved: number;
  readonly faults: readonly string[];
}

type Act = (desk: Desk, ids: readonly string[]) => Promise<ExitCode> | ExitCode;

const ACTS: ReadonlyMap<string, { readonly usage: string; readonly act: Act }> = new Map([
  ["list", { usage: "list FILE", act: listLetters }],
  ["show", { usage: "show ID FILE", act: showLetter }],
  ["retry", { usage: "retry ID… FILE, or retry --all FILE", act: retry }],
]);

/** Lists, shows and runs again what gave no valid answer. */
export const deadLetters: CommandFunction = async (given) => {
  const [name = "", ...rest] = given.positionals;
  const action = ACTS.get(name);
  if (action === undefined) throw unknownAct(name);
  const target = rest.at(-1);
  const ids = rest.slice(0, -1);
  if (target === undefined) throw usageError(`write loopwright dead-letters ${action.usage}`);
  const discovery = !given.has("no-discovery");
  const root = rootFor(given, target);
  const opened = await openApp({ root, discovery, terminal: SILENT_TERMINAL });
  try {
    const file = await letterFile(opened, target, given);
    const { open, resolved, broken } = await readLetters(file);
    const faults = brokenNotes(file, broken);
    for (const fault of faults) tell(fault);
    const desk = { opened, given, file, letters: open, resolved, faults };
    const code = await action.act(desk, ids);
    return code === EXIT_CODES.done && broken.length > 0 ? EXIT_CODES.failed : code;
  } finally {
    await opened.app.close();
  }
};

function unknownAct(name: string): CommandError {
  const near = nearestName(name, ACTS.keys());
  const names = [...ACTS.keys()].join(", ");
  const hint = near === undefined ? `one of ${names}` : `did you mean \`${near}\`?`;
  const what =
    name === "" ? "dead-letters needs an action" : `dead-letters has no action \`${name}\``;
  return usageError(`${what}; ${hint}`);
}

function listLetters(
  { given, letters, resolved, faults }: Desk,
  extra: readonly string[],
): ExitCode {
  refusePositionals("dead-letters list", extra);
  if (given.has("json")) printJson({ letters, resolved, faults });
  else if (letters.length === 0)
    process.stdout.write(`no open dead letters, ${inFigures(resolved)} resolved\n`);
  else
    process.stdout.write(
      `${lettersTable(letters)}${inFigures(letters.length)} open, ${inFigures(resolved)} resolved\n`,
    );
  return EXIT_CODES.done;
}

function showLetter({ given, letters }: Desk, [id, ...extra]: readonly string[]): ExitCode {
  if (id === undefined) throw usageError("write loopwright dead-letters show ID FILE");
  refusePositionals("dead-letters show", extra);
  const letter = findLetter(letters, id);
  if (given.has("json")) printJson(letter);
  else process.stdout.write(letterText(letter));
  return EXIT_CODES.done;
}

async function retry(desk: Desk, ids: readonly string[]): Promise<ExitCode> {
  const { given, letters, opened, file } = desk;
  const isAll = given.has("all");
  if (isAll === ids.length > 0) throw usageError("retry takes ids, or --all for every open letter");
  const chosen = isAll ? letters : [...new Set(ids.map((id) => findLetter(letters, id)))];
  const isJson = given.has("json");
  const aborter = new AbortController();
  const interrupts = new Interrupts({
    abort: (reason) => aborter.abort(reason),
    tell,
    kill: (code) => process.exit(code),
    now: () => Date.now(),
  });
  const forget = interrupts.listen();
  try {
    const retried = await retryLetters(
      {
        opened,
        settings: readSettings(given),
        file,
        parallel: countIn(given, "parallel") ?? 4,
        signal: aborter.signal,
        tell,
        onRetried: isJson ? () => undefined : printRetried,
      },
      chosen,
    );
    const resolvedCount = retried.filter(({ isResolved }) => isResolved).length;
    if (isJson) printJson({ retried });
    else
      process.stdout.write(
        `${counted(resolvedCount, "letter")} resolved, ${retried.length - resolvedCount} left\n`,
      );
    if (aborter.signal.aborted) return EXIT_CODES.killed;
    return resolvedCount === retried.length ? EXIT_CODES.done : EXIT_CODES.failed;
  } finally {
    forget();
  }
}

function printRetried(
  letter: DeadLetter,
  { isResolved, message = "", letterId }: RetriedLetter,
): void {
  const row = rowText(letter);
  const what = isResolved ? "has a value" : message;
  const next = letterId === undefined ? "" : ` (letter ${letterId.slice(0, SHORT_ID)})`;
  const line = `${letter.id.slice(0, SHORT_ID)}${row === "" ? "" : `  ${row}`}  ${what}${next}`;
  process.stdout.write(`${neutralize(line).replaceAll("\n", " ")}\n`);
}

function tell(text: string): void {
  process.stderr.write(`loopwright: ${neutralize(text)}\n`);
}
