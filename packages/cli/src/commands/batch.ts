import type { Arguments } from "../arguments.ts";
import { type BatchOptions, comparedOutput, readBatchOptions } from "../batch/batch-options.ts";
import { type BatchEnd, comparisonText, summaryJson, summaryText } from "../batch/batch-summary.ts";
import { failedCount } from "../batch/batch-tally.ts";
import { performBatch } from "../batch/perform-batch.ts";
import { ProgressLine } from "../batch/progress-line.ts";
import { SILENT_TERMINAL } from "../batch/silent-terminal.ts";
import type { CommandFunction } from "../command.ts";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { Interrupts } from "../interrupts.ts";
import { openApp, rootFor } from "../open-app.ts";
import { printJson } from "../print-json.ts";
import { stopWhenReaderGone } from "../reader-gone.ts";
import { readSettings } from "../read-settings.ts";
import { shellWord } from "../shell-word.ts";

/** Runs a spec on every row of a file. */
export const batch: CommandFunction = async (given) => {
  const options = readBatchOptions(given);
  const settings = readSettings(given);
  const opened = await openApp({
    root: rootFor(given, options.spec),
    discovery: !given.has("no-discovery"),
    terminal: SILENT_TERMINAL,
  });
  const { env, stderr } = process;
  const progress = new ProgressLine(stderr, { env, isQuiet: options.isQuiet, now: Date.now() });
  const brake = new Brake();
  const interrupts = new Interrupts({
    abort: (reason) => brake.pull(reason),
    tell: (text) => progress.tell(text),
    kill: (code) => process.exit(code),
    now: () => Date.now(),
  });
  const forget = interrupts.listen();
  stopWhenReaderGone((reason) => brake.pull(reason));
  // Until the end is known: what a reader that goes away leaves behind.
  process.exitCode = EXIT_CODES.aborted;
  try {
    const ends: BatchEnd[] = [];
    for (const one of batchesOf(options)) {
      if (brake.isPulled) break;
      const overlay = one.overlay === undefined ? [] : [one.overlay];
      const overlays = [...(settings.overlays ?? []), ...overlay];
      const end = await performBatch({
        opened,
        options: one.options,
        settings: { ...settings, overlays },
        progress,
        onBegin: (abort) => brake.attach(abort),
      });
      const compiling = compilingText(given, overlays);
      ends.push({ ...end, compiling, ...(one.overlay !== undefined && { overlay: one.overlay }) });
    }
    printEnds(ends, options);
    return exitCodeOf(ends, brake.isPulled);
  } finally {
    forget();
    await opened.app.close();
  }
};

/** Stops whatever batch runs, or the next one as soon as it begins. */
class Brake {
  #abort: ((reason: string) => void) | undefined;
  #reason: string | undefined;

  get isPulled(): boolean {
    return this.#reason !== undefined;
  }

  pull(reason: string): void {
    this.#reason ??= reason;
    this.#abort?.(reason);
  }

  attach(abort: (reason: string) => void): void {
    this.#abort = abort;
    if (this.#reason !== undefined) abort(this.#reason);
  }
}

/** The options that made the spec what it was, to be given again. */
function compilingText(given: Arguments, overlays: readonly string[]): string {
  const said = [
    ...overlays.map((name) => ["overlay", name] as const),
    ...["set", "model", "replies", "root"].flatMap((name) =>
      given.list(name).map((text) => [name, text] as const),
    ),
  ];
  return said.map(([name, text]) => ` --${name} ${shellWord(text)}`).join("");
}

interface OneBatch {
  readonly options: BatchOptions;
  readonly overlay?: string;
}

function batchesOf(options: BatchOptions): readonly OneBatch[] {
  if (options.compare.length === 0) return [{ options }];
  return options.compare.map((overlay) => ({
    overlay,
    options: { ...options, to: comparedOutput(options.to, overlay) },
  }));
}

function printEnds(ends: readonly BatchEnd[], { isJson, compare }: BatchOptions): void {
  const [only] = ends;
  if (isJson)
    printJson(
      compare.length === 0 && only !== undefined
        ? summaryJson(only)
        : { compared: ends.map(summaryJson) },
    );
  else if (compare.length === 0) process.stdout.write(ends.map(summaryText).join(""));
  else process.stdout.write(comparisonText(ends));
}

function exitCodeOf(ends: readonly BatchEnd[], isAborted: boolean): ExitCode {
  if (isAborted) return EXIT_CODES.killed;
  if (ends.some(({ stopped }) => stopped !== undefined && stopped.why !== "endpoint"))
    return EXIT_CODES.limited;
  return ends.some(({ tally }) => failedCount(tally) > 0) ? EXIT_CODES.failed : EXIT_CODES.done;
}
