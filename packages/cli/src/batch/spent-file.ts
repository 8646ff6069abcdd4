import { appendFileSync, existsSync, rmSync } from "node:fs";
import { type Json, resolveDeadLetter, type Spending } from "@loopwright/core";
import { byteLines, lineText } from "./byte-lines.ts";
import { unwritable } from "./output-file.ts";

/** What a run took. */
export type RunCost = Pick<Spending, "modelCalls" | "usage" | "usd">;

/** A run with what it took. */
export interface SpentRun extends RunCost {
  /** Of the run, or of its dead letter. */
  readonly id: string;
}

/** Beside an output: what runs took that left neither a line there nor an open letter. */
function spentFile(to: string): string {
  return `${to}.spent.jsonl`;
}

/** Notes what a run took that leaves no other trace. */
export function noteSpent(to: string, { id, modelCalls, usage, usd }: SpentRun): void {
  if (modelCalls === 0 && usd === 0) return;
  try {
    // The break before it ends a line that a killed process left unfinished.
    appendFileSync(
      spentFile(to),
      `\n${JSON.stringify({ v: 1, kind: "spent", id, modelCalls, usage, usd })}\n`,
    );
  } catch (fault) {
    throw unwritable(spentFile(to), fault);
  }
}

/** Resolves a letter of an output; what it cost is noted first, so that no kill between the two loses it. */
export async function settleLetter(
  to: string,
  deadLetters: string,
  letter: SpentRun,
  runId: string,
): Promise<void> {
  noteSpent(to, letter);
  await resolveDeadLetter(deadLetters, letter.id, runId, Date.now());
}

/** What was noted beside an output, each run once. */
export async function readSpent(to: string): Promise<ReadonlyMap<string, RunCost>> {
  const spent = new Map<string, RunCost>();
  const file = spentFile(to);
  if (!existsSync(file)) return spent;
  for await (const { bytes } of byteLines(file)) {
    const run = readRun(lineText(bytes) ?? "");
    if (run !== undefined) spent.set(run.id, run);
  }
  return spent;
}

function readRun(text: string): SpentRun | undefined {
  try {
    const run = JSON.parse(text) as Partial<SpentRun> | null;
    const { usd, modelCalls, usage } = run ?? {};
    const isRun =
      typeof run?.id === "string" &&
      [usd, modelCalls, ...Object.values((usage ?? { none: null }) as Record<string, Json>)].every(
        (one) => typeof one === "number",
      );
    return isRun ? (run as SpentRun) : undefined;
  } catch {
    return undefined;
  }
}

/** Forgets what was noted beside an output. */
export function dropSpent(to: string): void {
  rmSync(spentFile(to), { force: true });
}
