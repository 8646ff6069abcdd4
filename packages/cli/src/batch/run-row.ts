import { randomUUID } from "node:crypto";
import { relative } from "node:path";
import {
  type App,
  type CompiledProgram,
  type DeadLetter,
  isLoopwrightError,
  type Json,
  type JsonObject,
  type Program,
  type Run,
  type RunInput,
  type RunOutcome,
} from "@loopwright/core";
import { stubbedEffects } from "../stubbed-effects.ts";
import type { BatchRecord } from "./batch-record.ts";

/** What a run of one item is started with. */
export interface RowInput {
  readonly row: number;
  readonly input: RunInput;
  /** What comes back beside the value. */
  readonly columns: JsonObject;
  readonly origin: JsonObject;
}

/** Where items are run. */
export interface RowSetting {
  readonly app: App;
  readonly compiled: CompiledProgram;
  /** Absolute. */
  readonly deadLetters: string;
  readonly dryRun: boolean;
  /** Called with every run that starts, before its first event. */
  readonly onRun: (run: Run) => void;
}

/** How a run of an item ended: with a record, with the code of a failure, or not at all. */
export type RunEnd =
  | { readonly kind: "value"; readonly record: BatchRecord }
  | {
      readonly kind: "failed";
      readonly runId: string;
      readonly outcome: RunOutcome;
      readonly rejected: readonly string[];
      /** Whether core wrote it to the dead letters. */
      readonly isLettered: boolean;
    }
  | { readonly kind: "refused"; readonly message: string };

/** Runs one item to its end; never throws for what the item holds. */
export async function runRow(setting: RowSetting, item: RowInput): Promise<RunEnd> {
  const started = start(setting, item);
  if ("refused" in started) return { kind: "refused", message: started.refused };
  const { run } = started;
  const rejected: string[] = [];
  const repaired: string[] = [];
  let isLettered = false;
  run.on("output.rejected", ({ data }) => rejected.push(data.code));
  run.on("output.repaired", ({ data }) => repaired.push(...data.repairs));
  run.on("output.dead-lettered", () => {
    isLettered = true;
  });
  const stubbed = stubbedEffects(run);
  setting.onRun(run);
  const outcome = await run.outcome;
  const { program, redactor } = setting.compiled;
  const record = recordOf(program, item, run.id, outcome);
  if (record === undefined) return { kind: "failed", runId: run.id, outcome, rejected, isLettered };
  const told = {
    ...record,
    ...(rejected.length > 0 && { rejected }),
    ...(repaired.length > 0 && { repaired }),
    ...(stubbed.length > 0 && { stubbed }),
  };
  return {
    kind: "value",
    record: redactor.data(told as unknown as Json) as unknown as BatchRecord,
  };
}

function start(
  { app, compiled, deadLetters, dryRun }: RowSetting,
  { input, origin }: RowInput,
): { readonly run: Run } | { readonly refused: string } {
  try {
    const settings = { isPersonPresent: false, dryRun, deadLetter: deadLetters, origin };
    return { run: app.start(compiled, input, settings) };
  } catch (fault) {
    if (isLoopwrightError(fault) && fault.code === "input-invalid")
      return { refused: fault.message };
    throw fault;
  }
}

/** Undefined for a run that left no value. */
function recordOf(
  { output }: Program,
  { row, columns, input }: RowInput,
  runId: string,
  ended: RunOutcome,
): BatchRecord | undefined {
  const { outcome, answer, value, verified, spending, durationMs, state } = ended;
  const { solvable, unsolvableReason, text } = answer;
  const isAnswer = output === undefined ? text.trim() !== "" : value !== null;
  // At a limit core itself says that there is no solution, where no answer was reached.
  const isValue = outcome === "done" ? isAnswer || !solvable : isAnswer && solvable;
  if (outcome === "failed" || outcome === "aborted" || !isValue) return undefined;
  return {
    row,
    runId,
    outcome,
    ...(output === undefined ? { text } : { value }),
    solvable,
    ...(solvable ? {} : { unsolvableReason: unsolvableReason ?? "" }),
    verified,
    spending,
    durationMs,
    input: state.task.inputs,
    ...(input.task === undefined ? {} : { task: input.task }),
    ...(Object.keys(columns).length === 0 ? {} : { columns }),
  };
}

const NO_USAGE = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/** A letter for an item that core wrote none for: one that never ran, or a run that told no letter. */
export function letterOf(
  { program, redactor }: CompiledProgram,
  item: Pick<RowInput, "input" | "origin">,
  fault: { readonly code: string; readonly message: string },
  run?: { readonly runId: string; readonly outcome: RunOutcome },
): DeadLetter {
  const letter: DeadLetter = {
    v: 1,
    kind: "dead-letter",
    id: run?.runId ?? randomUUID(),
    time: Date.now(),
    spec: program.name,
    file: relative(program.root, program.file),
    programHash: program.hash,
    outcome: run?.outcome.outcome ?? "failed",
    ...fault,
    input: { ...item.input, inputs: item.input.inputs ?? {} },
    attempts: [],
    schemaHash: "",
    modelCalls: run?.outcome.spending.modelCalls ?? 0,
    usage: run?.outcome.spending.usage ?? NO_USAGE,
    usd: run?.outcome.spending.usd ?? 0,
    origin: item.origin,
  };
  return redactor.data(letter as unknown as Json) as unknown as DeadLetter;
}
