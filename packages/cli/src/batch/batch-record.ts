import type { Json, JsonObject, RunOutcome } from "@loopwright/core";
import type { StubbedEffect } from "../stubbed-effects.ts";

/** One line of a batch's output: a row that gave a value. */
export interface BatchRecord {
  /** From 1, the header not counted. */
  readonly row: number;
  readonly runId: string;
  readonly outcome: RunOutcome["outcome"];
  /** The typed value; where the spec declares no output, `text` stands in its place. */
  readonly value?: Json;
  readonly text?: string;
  readonly solvable: boolean;
  readonly unsolvableReason?: string;
  readonly verified: RunOutcome["verified"];
  /** What was wrong with each reply that did not fit, in their order, by code. */
  readonly rejected?: readonly string[];
  /** What was mended in replies without asking again. */
  readonly repaired?: readonly string[];
  /** What a dry run left out. */
  readonly stubbed?: readonly StubbedEffect[];
  readonly spending: RunOutcome["spending"];
  readonly durationMs: number;
  readonly input: JsonObject;
  /** The task of the row, where it has one of its own. */
  readonly task?: string;
  /** The row's other columns. */
  readonly columns?: JsonObject;
}

/** Reads one line of an output; undefined where it is none. */
export function readRecord(text: string): BatchRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<BatchRecord> | null;
    const isRecord =
      typeof value === "object" &&
      value !== null &&
      Number.isSafeInteger(value.row) &&
      typeof value.outcome === "string" &&
      typeof value.spending?.usage?.input === "number";
    return isRecord ? (value as BatchRecord) : undefined;
  } catch {
    return undefined;
  }
}
