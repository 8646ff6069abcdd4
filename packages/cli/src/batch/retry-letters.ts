import type { DeadLetter } from "@loopwright/core";
import { readLetters } from "./letter-file.ts";
import { type RetriedLetter, RetryDesk, type RetrySetting } from "./retry-desk.ts";

/**
 * Runs the inputs of letters again, and resolves those that give a value; one that is interrupted stays as it is. The
 * letters are read anew once their outputs are locked: what others settled meanwhile is not run again.
 */
export async function retryLetters(
  setting: RetrySetting,
  chosen: readonly DeadLetter[],
): Promise<readonly RetriedLetter[]> {
  const desk = new RetryDesk(setting);
  try {
    await desk.outputs.open(chosen);
    const { open } = await readLetters(setting.file);
    const letters = await settleRows(desk, open, new Set(chosen.map(({ id }) => id)));
    await desk.compile(letters);
    const waiting = letters.values();
    const workers = Array.from({ length: setting.parallel }, () => desk.work(waiting));
    const ends = await Promise.allSettled(workers);
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return desk.retried;
  } finally {
    await desk.close();
  }
}

/** Closes letters whose row has a value, or a later letter; returns those that are to be run, one a row. */
async function settleRows(
  desk: RetryDesk,
  open: readonly DeadLetter[],
  chosen: ReadonlySet<string>,
): Promise<readonly DeadLetter[]> {
  const { outputs } = desk;
  const keyOf = (letter: DeadLetter): string => outputs.rowKey(letter) ?? letter.id;
  const keys = new Set(open.filter(({ id }) => chosen.has(id)).map(keyOf));
  const last = new Map<string, DeadLetter>();
  for (const letter of open) {
    const key = keyOf(letter);
    if (!keys.has(key)) continue;
    const earlier = last.get(key);
    if (earlier !== undefined) await desk.settle(earlier, letter.id);
    last.set(key, letter);
  }
  const letters: DeadLetter[] = [];
  for (const letter of last.values()) {
    const runId = outputs.valueOf(letter);
    if (runId === undefined) letters.push(letter);
    else {
      await desk.settle(letter, runId);
      desk.report(letter, { isResolved: true });
    }
  }
  return letters;
}
