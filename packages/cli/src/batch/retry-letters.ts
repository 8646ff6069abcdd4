import { existsSync } from "node:fs";
import { extname } from "node:path";
import {
  appendDeadLetter,
  type CompiledProgram,
  type CompileOptions,
  type DeadLetter,
  type Json,
  type JsonObject,
  resolveDeadLetter,
  type Run,
} from "@loopwright/core";
import { CommandError } from "../command-error.ts";
import { compileProgram } from "../compile-program.ts";
import type { OpenedApp } from "../open-app.ts";
import { lockOutput } from "./batch-lock.ts";
import { OutputFile, readOutput } from "./output-file.ts";
import { pathIn } from "./batch-places.ts";
import { letterOf, type RowInput, runRow } from "./run-row.ts";
import { typeRow } from "./type-row.ts";

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

/** Runs the inputs of letters again, and resolves those that give a value; one that is interrupted stays as it is. */
export async function retryLetters(
  setting: RetrySetting,
  letters: readonly DeadLetter[],
): Promise<readonly RetriedLetter[]> {
  const desk = new RetryDesk(setting);
  try {
    const programs = await desk.compile(letters);
    await desk.openOutputs(letters);
    const waiting = letters.values();
    const work = async (): Promise<void> => {
      for (const letter of waiting) {
        if (setting.signal.aborted) return;
        const program = programs.get(letter.file);
        if (program !== undefined) await desk.retry(letter, program);
      }
    };
    await Promise.all(Array.from({ length: setting.parallel }, work));
    return desk.retried;
  } finally {
    desk.close();
  }
}

class RetryDesk {
  readonly retried: RetriedLetter[] = [];
  readonly #setting: RetrySetting;
  readonly #outputs = new Map<string, OutputFile>();
  readonly #releases: (() => void)[] = [];

  constructor(setting: RetrySetting) {
    this.#setting = setting;
  }

  /** Every spec that the letters name, compiled once, by its file. */
  async compile(letters: readonly DeadLetter[]): Promise<ReadonlyMap<string, CompiledProgram>> {
    const { opened, settings, tell } = this.#setting;
    const programs = new Map<string, CompiledProgram>();
    for (const { file, programHash } of letters) {
      if (programs.has(file)) continue;
      const path = pathIn(opened.root, file);
      if (!existsSync(path))
        throw new CommandError(
          `the spec ${file} of a dead letter is not in ${opened.root}; name the project's folder with --root`,
        );
      const compiled = await compileProgram(opened, path, settings);
      programs.set(file, compiled);
      if (compiled.program.hash !== programHash)
        tell(`${file} is not what it was when its letters were written; it runs as it is`);
    }
    return programs;
  }

  /** Locks and opens the outputs of the batches that letters come from. */
  async openOutputs(letters: readonly DeadLetter[]): Promise<void> {
    for (const { origin } of letters) {
      const to = origin?.["to"];
      if (typeof to !== "string" || this.#outputs.has(to)) continue;
      const path = pathIn(this.#setting.opened.root, to);
      this.#releases.push(lockOutput(path));
      const found = await readOutput(path, () => undefined);
      this.#outputs.set(to, new OutputFile(path, found));
    }
  }

  async retry(letter: DeadLetter, compiled: CompiledProgram): Promise<void> {
    const retried = await this.#run(letter, compiled);
    if (retried === undefined) return;
    this.retried.push(retried);
    this.#setting.onRetried(letter, retried);
  }

  /** Undefined for one that was interrupted. */
  async #run(letter: DeadLetter, compiled: CompiledProgram): Promise<RetriedLetter | undefined> {
    const { file, opened, signal } = this.#setting;
    const { id, origin = {} } = letter;
    const item = itemOf(letter, compiled);
    if (typeof item === "string")
      return { id, isResolved: false, message: unreadable(letter, item) };
    const onRun = (run: Run): void => {
      signal.addEventListener("abort", () => run.abort("interrupted by Ctrl-C"), { once: true });
    };
    const setting = { app: opened.app, compiled, deadLetters: file, dryRun: false, onRun };
    const end = await runRow(setting, item);
    if (end.kind === "refused")
      return { id, isResolved: false, message: unreadable(letter, end.message) };
    if (end.kind === "value") {
      const to = origin["to"];
      if (typeof to === "string") this.#outputs.get(to)?.append(end.record, Date.now());
      await resolveDeadLetter(file, id, end.record.runId, Date.now());
      return { id, isResolved: true };
    }
    if (end.outcome.outcome === "aborted" && signal.aborted) return undefined;
    const { code, message } = end.outcome.fault ?? {
      code: end.outcome.outcome,
      message: end.outcome.reason ?? "the run left no value",
    };
    if (!end.isLettered)
      await appendDeadLetter(file, letterOf(compiled, item, { code, message }, end));
    await resolveDeadLetter(file, id, end.runId, Date.now());
    return { id, isResolved: false, message: `${code}: ${message}`, letterId: end.runId };
  }

  close(): void {
    for (const output of this.#outputs.values()) output.close();
    for (const release of this.#releases) release();
  }
}

const TEXT_FILES: ReadonlySet<string> = new Set([".csv", ".tsv"]);

/** The input of a letter, read as a batch reads rows; or why it is none. */
function itemOf(letter: DeadLetter, { program }: CompiledProgram): RowInput | string {
  const { input, origin = {} } = letter;
  const { row, from, text } = origin;
  const columns = asObject(origin["columns"]);
  if (typeof row !== "number") return { row: 0, input, columns, origin };
  if (typeof text === "string") return letter.message;
  const isText = typeof from === "string" && TEXT_FILES.has(extname(from).toLowerCase());
  // A spec that changed may want what the row has as another column.
  const typed = typeRow(program.inputs.fields, { ...columns, ...input.inputs }, isText);
  if (!typed.ok) return typed.message;
  const saysTask = program.task.text.parts.length > 0 || (input.task ?? "").trim() !== "";
  if (!saysTask) return "the row has no task";
  return { row, input: { ...input, inputs: typed.inputs }, columns, origin };
}

function asObject(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

/** What a row lacks, and what to do. */
function unreadable({ origin = {} }: DeadLetter, message: string): string {
  const { row, from } = origin;
  if (typeof row !== "number") return message;
  const file = typeof from === "string" ? from : "the file";
  return `${message}; mend ${file}, then \`loopwright batch … --retry-failed\``;
}
