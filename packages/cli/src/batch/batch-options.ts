import { type Arguments, refusePositionals } from "../arguments.ts";
import { usageError } from "../command-error.ts";
import type { ColumnOptions } from "./column-plan.ts";
import type { Resumption } from "./batch-pin.ts";

/** What the command line of a batch says. */
export interface BatchOptions {
  readonly spec: string;
  readonly from: string;
  readonly to: string;
  readonly deadLetters?: string;
  readonly delimiter?: string;
  readonly columns: ColumnOptions;
  readonly parallel: number;
  /** The first rows alone. */
  readonly limit?: number;
  readonly maxUsd?: number;
  readonly maxModelCalls?: number;
  readonly resumption: Resumption;
  readonly isRetried: boolean;
  readonly isQuiet: boolean;
  readonly isJson: boolean;
  readonly dryRun: boolean;
  readonly approveAll: boolean;
  /** Overlays that are run one after the other over the same rows, and compared. */
  readonly compare: readonly string[];
}

const MAX_PARALLEL = 256;

/** Reads the command line of a batch. */
export function readBatchOptions(given: Arguments): BatchOptions {
  const [spec, ...extra] = given.positionals;
  const from = given.text("from");
  if (spec === undefined || from === undefined)
    throw usageError(
      "batch needs a spec and rows, like loopwright batch agent.yaml --from rows.csv",
    );
  refusePositionals("batch", extra);
  const [isRestart, isAnyway] = [given.has("restart"), given.has("anyway")];
  if (isRestart && isAnyway) throw usageError("--restart and --anyway exclude each other");
  const compare = given.list("compare");
  if (compare.length > 0 && given.text("dead-letters") !== undefined)
    throw usageError("--dead-letters goes with one batch; --compare runs several");
  const parallel = countIn(given, "parallel") ?? 4;
  if (parallel > MAX_PARALLEL) throw usageError(`--parallel is at most ${MAX_PARALLEL}`);
  return {
    spec,
    from,
    to: given.text("to") ?? `${from}.out.jsonl`,
    columns: { ...named("task", given.text("task")), keep: given.list("keep") },
    parallel,
    ...named("limit", countIn(given, "limit")),
    ...named("maxUsd", dollarsIn(given)),
    ...named("maxModelCalls", countIn(given, "model-calls")),
    ...named("deadLetters", given.text("dead-letters")),
    ...named("delimiter", given.text("delimiter")),
    resumption: isRestart ? "restart" : isAnyway ? "anyway" : "strict",
    isRetried: given.has("retry-failed"),
    isQuiet: given.has("quiet"),
    isJson: given.has("json"),
    dryRun: given.has("dry-run"),
    approveAll: given.has("yes"),
    compare,
  };
}

function named<N extends string, V>(name: N, value: V | undefined): { readonly [K in N]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [K in N]?: V });
}

/** The count that an option says. */
export function countIn(given: Arguments, name: string): number | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  throw usageError(
    `--${name}=${text}: the value must be a whole number of at least 1, like --${name} 8`,
  );
}

function dollarsIn(given: Arguments): number | undefined {
  const text = given.text("usd");
  if (text === undefined) return undefined;
  if (/^\d{1,9}(\.\d+)?$/u.test(text) && Number(text) > 0) return Number(text);
  throw usageError(`--usd ${text} is no sum of dollars; write like --usd 5`);
}

/** The output of one overlay of a comparison: `out.jsonl` becomes `out.NAME.jsonl`. */
export function comparedOutput(to: string, overlay: string): string {
  return to.endsWith(".jsonl")
    ? `${to.slice(0, -".jsonl".length)}.${overlay}.jsonl`
    : `${to}.${overlay}`;
}
