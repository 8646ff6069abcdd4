import { existsSync } from "node:fs";
import {
  appendDeadLetter,
  type CompiledProgram,
  type CompileOptions,
  type DeadLetter,
  resolveDeadLetter,
  type Run,
} from "@loopwright/core";
import { CommandError } from "../command-error.ts";
import { compileProgram } from "../compile-program.ts";
import type { OpenedApp } from "../open-app.ts";
import { pathIn } from "./batch-places.ts";
import { costOf } from "./batch-tally.ts";
import { EndpointRest } from "./endpoint-rest.ts";
import { letterItem, unreadableText } from "./letter-item.ts";
import { runRested } from "./rested-row.ts";
import { type LetterOutput, RetryOutputs } from "./retry-outputs.ts";
import { letterOf, type RowInput, type RunEnd } from "./run-row.ts";
import { noteSpent, settleLetter, type SpentRun } from "./spent-file.ts";

/** What came of a letter that was run again. */
export interface RetriedLetter {
  readonly id: string;
  readonly isResolved: boolean;
  /** Why there is no value, and the id of the letter that says more. */
  readonly message?: string;
  readonly letterId?: string;
}

/** How letters are run again. */
export interface RetrySetting {
  readonly opened: OpenedApp;
  readonly settings: CompileOptions;
  /** The file of dead letters, absolute. */
  readonly file: string;
  readonly parallel: number;
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
  readonly onRetried: (letter: DeadLetter, retried: RetriedLetter) => void;
}

/** Where letters are run again, several at a time. */
export class RetryDesk {
  readonly retried: RetriedLetter[] = [];
  readonly outputs: RetryOutputs;
  readonly #setting: RetrySetting;
  readonly #rest: EndpointRest;
  readonly #programs = new Map<string, CompiledProgram>();
  readonly #runs = new Set<Run>();
  readonly #onAbort = (): void => this.abort("interrupted by Ctrl-C");
  #stop: string | undefined;

  constructor(setting: RetrySetting) {
    this.#setting = setting;
    this.outputs = new RetryOutputs(setting.opened.root);
    let isWaitTold = false;
    this.#rest = new EndpointRest({
      now: () => Date.now(),
      mayGoOn: () => this.#stop === undefined,
      onWait: () => {
        if (!isWaitTold) setting.tell("an endpoint rests; the letters wait until it is over");
        isWaitTold = true;
      },
    });
    setting.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Begins no further letter, and aborts those under way; they stay as they are. */
  abort(reason: string): void {
    this.#stop ??= reason;
    this.#rest.end();
    for (const run of this.#runs) run.abort(reason);
  }

  /** Compiles every spec that the letters name, once. */
  async compile(letters: readonly DeadLetter[]): Promise<void> {
    const { opened, settings, tell } = this.#setting;
    for (const { file, programHash } of letters) {
      if (this.#programs.has(file)) continue;
      const path = pathIn(opened.root, file);
      if (!existsSync(path))
        throw new CommandError(
          `the spec ${file} of a dead letter is not in ${opened.root}; name the project's folder with --root`,
        );
      const compiled = await compileProgram(opened, path, settings);
      this.#programs.set(file, compiled);
      if (compiled.program.hash !== programHash)
        tell(`${file} is not what it was when its letters were written; it runs as it is`);
    }
  }

  /** Runs letters; rejects where a file can't be written, after what is under way has ended. */
  async work(letters: Iterator<DeadLetter>): Promise<void> {
    try {
      for (;;) {
        if (this.#setting.signal.aborted || this.#stop !== undefined) return;
        const next = letters.next();
        if (next.done === true) return;
        await this.#retry(next.value);
      }
    } catch (fault) {
      this.abort("the letters can't be settled");
      throw fault;
    }
  }

  /** Closes letters whose rows need no run. */
  async settle(letter: DeadLetter, runId: string): Promise<void> {
    await this.#resolve(letter, this.outputs.of(letter), runId);
  }

  /** Takes down what came of a letter. */
  report(letter: DeadLetter, retried: Omit<RetriedLetter, "id">): void {
    const told = { id: letter.id, ...retried };
    this.retried.push(told);
    this.#setting.onRetried(letter, told);
  }

  async close(): Promise<void> {
    this.#setting.signal.removeEventListener("abort", this.#onAbort);
    this.outputs.close();
    for (const compiled of this.#programs.values()) await compiled.close();
  }

  async #retry(letter: DeadLetter): Promise<void> {
    const { file, opened } = this.#setting;
    const compiled = this.#programs.get(letter.file);
    if (compiled === undefined) return;
    const item = letterItem(letter, compiled);
    if (typeof item === "string") return this.#refuse(letter, item);
    const output = this.outputs.of(letter);
    const onRun = (run: Run): void => {
      this.#runs.add(run);
      void run.outcome.then(() => this.#runs.delete(run));
      if (this.#stop !== undefined) run.abort(this.#stop);
    };
    const dryRun = output?.isDry === true;
    await runRested(
      {
        rest: this.#rest,
        setting: { app: opened.app, compiled, deadLetters: file, dryRun, onRun },
        mayBegin: () => this.#stop === undefined,
        onHeldOff: async ({ runId, outcome, isLettered }) => {
          const spent = { id: runId, ...outcome.spending };
          if (isLettered) await this.#resolve(spent, output, "runs-again");
          else if (output !== undefined) noteSpent(output.path, spent);
        },
        onEnd: (end) => this.#take(letter, { compiled, item, output }, end),
      },
      item,
    );
  }

  /** One that was interrupted stays as it is. */
  async #take(letter: DeadLetter, { compiled, item, output }: Retry, end: RunEnd): Promise<void> {
    if (end.kind === "refused") return this.#refuse(letter, end.message);
    if (end.kind === "value") {
      output?.file.append(end.record, Date.now());
      await this.#resolve(letter, output, end.record.runId);
      return this.report(letter, { isResolved: true });
    }
    const { runId, outcome, isLettered } = end;
    if (outcome.outcome === "aborted" && this.#stop !== undefined) {
      if (output !== undefined) noteSpent(output.path, { id: runId, ...outcome.spending });
      return;
    }
    const { code, message } = outcome.fault ?? {
      code: outcome.outcome,
      message: outcome.reason ?? "the run left no value",
    };
    if (!isLettered)
      await appendDeadLetter(this.#setting.file, letterOf(compiled, item, { code, message }, end));
    await this.#resolve(letter, output, runId);
    this.report(letter, { isResolved: false, message: `${code}: ${message}`, letterId: runId });
  }

  #refuse(letter: DeadLetter, message: string): void {
    this.report(letter, { isResolved: false, message: unreadableText(letter, message) });
  }

  async #resolve(
    letter: DeadLetter | SpentRun,
    output: LetterOutput | undefined,
    runId: string,
  ): Promise<void> {
    const { file } = this.#setting;
    const spent = "attempts" in letter ? costOf(letter) : letter;
    if (output === undefined) await resolveDeadLetter(file, spent.id, runId, Date.now());
    else await settleLetter(output.path, file, spent, runId);
  }
}

interface Retry {
  readonly compiled: CompiledProgram;
  readonly item: RowInput;
  readonly output: LetterOutput | undefined;
}
