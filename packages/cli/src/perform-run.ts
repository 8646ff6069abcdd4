import type { App, CompiledProgram, RunInput, RunOutcome, RunSettings } from "@loopwright/core";
import { answerRequests } from "./answer-requests.ts";
import type { HeldTerminal } from "./held-terminal.ts";
import { Interrupts } from "./interrupts.ts";
import { PersonPrompt } from "./person-prompt.ts";
import { stopWhenReaderGone } from "./reader-gone.ts";
import { type RunRemarks, runRemarks } from "./run-remarks.ts";
import type { Teller } from "./unsaid-console.ts";
import { type StubbedEffect, stubbedEffects } from "./stubbed-effects.ts";
import { tellIncidents } from "./tell-incidents.ts";

/** Where a run is watched, and who replies to it. */
export interface Attendance {
  readonly terminal: HeldTerminal;
  /** The screen that a person is asked on; missing where there is no person. */
  readonly screen?: NodeJS.WritableStream;
  readonly approveAll: boolean;
  /** Tells the run at the terminal, where the spec names no sink. */
  readonly console?: Teller;
}

/** The attendance that the streams of this process allow; `terminal` is what the sinks print to. */
export function attendanceOf(
  terminal: HeldTerminal,
  options: { readonly approveAll: boolean; readonly isStdoutTaken: boolean },
): Attendance {
  const { stdin, stdout, stderr } = process;
  const { approveAll, isStdoutTaken } = options;
  const screens = isStdoutTaken ? [stderr] : [stderr, stdout];
  const screen = stdin.isTTY ? screens.find((stream) => stream.isTTY) : undefined;
  return { terminal, approveAll, ...(screen === undefined ? {} : { screen }) };
}

/** A run's end, with its id. */
export interface PerformedRun {
  readonly runId: string;
  readonly outcome: RunOutcome;
  /** What a dry run left out; missing where tools acted. */
  readonly stubbed?: readonly StubbedEffect[];
  /** What happened in it that its answer does not show. */
  readonly remarks?: RunRemarks;
}

/** Runs a program to its end, with Ctrl-C and with replies to what it asks. */
export async function performRun(
  app: App,
  program: CompiledProgram,
  input: RunInput,
  settings: RunSettings & { readonly attendance: Attendance },
): Promise<PerformedRun> {
  const { attendance, ...own } = settings;
  const { terminal, screen, approveAll } = attendance;
  const isPersonPresent = screen !== undefined || approveAll;
  const run = app.start(program, input, { ...own, isPersonPresent });
  const tell = (text: string): void =>
    terminal.aside(() => process.stderr.write(`loopwright: ${text}\n`));
  const { console: teller } = attendance;
  if (teller !== undefined) run.on("*", (event) => teller.handle(event));
  tellIncidents(run, program.program, tell, teller !== undefined);
  const remarks = runRemarks(run);
  const isDry = own.dryRun === true || program.program.dryRun;
  const stubbed = isDry ? stubbedEffects(run) : undefined;
  const interrupts = new Interrupts({
    abort: (reason) => run.abort(reason),
    tell,
    kill: (code) => process.exit(code),
    now: () => Date.now(),
  });
  const forget = interrupts.listen();
  // Also after its end: what it printed last may meet no reader while its sinks are being closed.
  stopWhenReaderGone((reason) => run.abort(reason));
  const prompt =
    screen === undefined
      ? undefined
      : new PersonPrompt({
          input: process.stdin,
          output: screen,
          terminal,
          onInterrupt: () => interrupts.press(),
        });
  answerRequests(run, {
    approveAll,
    tell,
    columns: process.stderr.columns,
    ...(prompt === undefined ? {} : { ask: (asked) => prompt.ask(asked) }),
  });
  try {
    const outcome = await run.outcome;
    return { runId: run.id, outcome, remarks, ...(stubbed === undefined ? {} : { stubbed }) };
  } finally {
    await teller?.close?.();
    forget();
  }
}
