import { messageOf } from "../errors/loopwright-error.ts";
import type { Redactor } from "../events/redactor.ts";

/** How long a service or a sink may take to close what it holds. */
export const closeDeadlineMs = 5_000;

/** Closes one thing and never throws: what fails, or is still busy after the deadline, is left, and told as a warning. */
export async function closeWithin(
  deadlineMs: number,
  what: string,
  close: () => unknown,
  redactor: Redactor,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fault = new Error(`still busy after ${deadlineMs / 1_000} s`);
    timer = setTimeout(() => reject(fault), deadlineMs);
  });
  try {
    await Promise.race([close(), late]);
  } catch (fault) {
    const message = `${what} could not be closed: ${messageOf(fault)}`;
    process.emitWarning(redactor.text(message), "LoopwrightWarning");
  } finally {
    clearTimeout(timer);
  }
}
