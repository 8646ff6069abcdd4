import type { LinkedProgram } from "../run/linked-program.ts";
import type { Run, RunInput, RunSettings } from "../run/run.ts";
import { startRun } from "../run/start-run.ts";
import { AbortError } from "../errors/loopwright-error.ts";
import type { Redactor } from "../events/redactor.ts";
import { closeWithin } from "./close-within.ts";

/** A program that can be run: compiled, checked, and linked with its configured plugins. */
export interface CompiledProgram extends LinkedProgram {
  /** Aborts its runs, waits for their outcomes and closes its sinks; it can't be started afterwards. */
  close(): Promise<void>;
}

/** An aborted run may still flush its sinks, which has a deadline of five seconds of its own. */
const runDeadlineMs = 6_000;

/** The programs of an app that are not closed, with the runs of each that go on. */
export class OpenPrograms {
  readonly #runs = new Map<CompiledProgram, Set<Run>>();
  /** Programs on their way out; a host may close one while the app closes. */
  readonly #closing = new Set<Promise<void>>();
  readonly #redactor: Redactor;
  #isClosed = false;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Throws once the app is closed: its services are gone. */
  requireOpen(): void {
    if (this.#isClosed) throw new AbortError("the app is closed; make another with createApp");
  }

  /** Takes a program that was linked in; its sinks are closed with it. */
  async add(linked: LinkedProgram & { close(): Promise<void> }): Promise<CompiledProgram> {
    let closing: Promise<void> | undefined;
    const program: CompiledProgram = {
      ...linked,
      close: () => (closing ??= this.#close(program, () => linked.close())),
    };
    this.#runs.set(program, new Set());
    if (this.#isClosed) await program.close();
    this.requireOpen();
    return program;
  }

  start(program: CompiledProgram, input: RunInput, settings: RunSettings): Run {
    this.requireOpen();
    const runs = this.#runs.get(program);
    if (runs === undefined) {
      throw new AbortError(
        `the program \`${program.program.name}\` is closed, or another app compiled it; compile it here`,
      );
    }
    const run = startRun(program, input, settings);
    runs.add(run);
    const forget = (): void => void runs.delete(run);
    run.outcome.then(forget, forget);
    return run;
  }

  /** Aborts all runs at once, then closes the programs, the last first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const runs of this.#runs.values()) for (const run of runs) run.abort("the app was closed");
    for (const program of [...this.#runs.keys()].toReversed()) await program.close();
    await Promise.all(this.#closing);
  }

  async #close(program: CompiledProgram, closeSinks: () => Promise<void>): Promise<void> {
    const runs = this.#runs.get(program) ?? [];
    this.#runs.delete(program);
    const closing = endRuns([...runs], this.#redactor).then(closeSinks);
    this.#closing.add(closing);
    await closing;
    this.#closing.delete(closing);
  }
}

async function endRuns(runs: readonly Run[], redactor: Redactor): Promise<void> {
  const ends = runs.map((run) => {
    run.abort("its program was closed");
    return closeWithin(runDeadlineMs, `run ${run.id}`, () => run.outcome, redactor);
  });
  await Promise.all(ends);
}
