import type { Program, RunOutcome } from "@loopwright/core";
import type { Arguments } from "../arguments.ts";
import { usageError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { compileProgram } from "../compile-program.ts";
import { diagnosticText } from "../diagnostic-text.ts";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { HeldTerminal } from "../held-terminal.ts";
import { openApp, rootFor } from "../open-app.ts";
import { answerText, endingText, outcomeJson } from "../outcome-text.ts";
import { attendanceOf, type PerformedRun, performRun } from "../perform-run.ts";
import { printJson } from "../print-json.ts";
import { readInputs } from "../read-inputs.ts";
import { readSettings } from "../read-settings.ts";
import { readTask } from "../read-task.ts";
import { recordedEvents } from "../recorded-events.ts";
import { isStoppedByQuestion } from "../run-remarks.ts";
import { stubbedText } from "../stubbed-effects.ts";
import { unsaidConsole } from "../unsaid-console.ts";

/** Runs a spec on a task. */
export const run: CommandFunction = async (given) => {
  const [spec, ...words] = given.positionals;
  if (spec === undefined) throw usageError("run needs a spec, like loopwright run agent.yaml");
  const level = levelOf(given);
  const settings = readSettings(given);
  const inputs = readInputs(given.list("input"));
  const task = await readTask(words);
  const isStdoutTaken = given.has("json");
  const terminal = new HeldTerminal(isStdoutTaken ? process.stderr : process.stdout, process.env);
  const opened = await openApp({
    root: rootFor(given, spec),
    discovery: !given.has("no-discovery"),
    terminal,
    ...(level === undefined ? {} : { level }),
  });
  try {
    const compiled = await compileProgram(opened, spec, settings);
    if (level !== "quiet") tellWarnings(compiled.program, opened.root);
    const approveAll = given.has("yes");
    if (approveAll) tell("--yes: every tool call that asks for approval gets it, unseen");
    const teller = isStdoutTaken
      ? undefined
      : await unsaidConsole(opened, { spec, settings, program: compiled.program, terminal, level });
    const attendance = {
      ...attendanceOf(terminal, { approveAll, isStdoutTaken }),
      ...(teller === undefined ? {} : { console: teller }),
    };
    const recorded = await recordedEvents(compiled.program);
    // Until the end is known: what a reader that goes away leaves behind.
    process.exitCode = EXIT_CODES.aborted;
    const performed = await performRun(
      opened.app,
      compiled,
      { inputs, ...(task === "" ? {} : { task }) },
      {
        dryRun: given.has("dry-run"),
        switches: given.list("switch"),
        ...(recorded === undefined ? {} : { recorded }),
        attendance,
      },
    );
    const isShown = teller !== undefined || isTold(compiled.program);
    printEnd(performed, { isJson: isStdoutTaken, isTold: isShown });
    return exitCodeOf(performed);
  } finally {
    await opened.app.close();
  }
};

function levelOf(given: Arguments): "quiet" | "verbose" | undefined {
  if (given.has("quiet") && given.has("verbose")) {
    throw usageError("--quiet and --verbose exclude each other");
  }
  if (given.has("quiet")) return "quiet";
  return given.has("verbose") ? "verbose" : undefined;
}

function isTold(program: Program): boolean {
  return program.sinks.some(({ definition }) => definition.id === "console");
}

function printEnd(
  performed: PerformedRun,
  options: { readonly isJson: boolean; readonly isTold: boolean },
): void {
  const { outcome, stubbed, remarks } = performed;
  if (options.isJson) printJson(outcomeJson(performed));
  if (stubbed !== undefined) tell(stubbedText(stubbed));
  if (options.isTold) return;
  if (!options.isJson) printAnswer(outcome);
  for (const text of remarks?.failedItems ?? []) tell(text);
  const ending = endingText(outcome, isStoppedByQuestion(outcome, remarks));
  if (ending !== "") tell(ending);
}

/** A key that is not there must be set first, like anything else of the set-up; a silent question ends a run like a limit. */
function exitCodeOf({ outcome: ended, remarks }: PerformedRun): ExitCode {
  if (ended.fault?.code === "provider-key-missing") return EXIT_CODES.invalid;
  return isStoppedByQuestion(ended, remarks) ? EXIT_CODES.limited : EXIT_CODES[ended.outcome];
}

function printAnswer(outcome: RunOutcome): void {
  const text = answerText(outcome);
  if (text !== "") process.stdout.write(`${text}\n`);
}

function tellWarnings(program: Program, root: string): void {
  const { diagnostics } = program;
  if (diagnostics.length === 0) return;
  process.stderr.write(`${diagnosticText({ diagnostics, sources: new Map() }, root)}\n\n`);
}

function tell(text: string): void {
  process.stderr.write(`loopwright: ${text}\n`);
}
