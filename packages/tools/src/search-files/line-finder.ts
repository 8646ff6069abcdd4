import { Worker } from "node:worker_threads";
import { type Clock, messageOf, onAborted, ToolError } from "@loopwright/core/plugin";

/** What is looked for in a line. */
export interface LineQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly ignoreCase: boolean;
}

/** Finds the lines that match; `close` frees what it holds. */
export interface LineFinder {
  find(lines: readonly string[]): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** How long the lines of one batch may take a regular expression. */
const MAX_BATCH_MS = 2_000;

// Runs in a thread of its own: a pattern that never ends can be stopped there alone.
const MATCHER = `
const { parentPort, workerData } = require("node:worker_threads");
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on("message", (lines) => {
  const found = [];
  for (let at = 0; at < lines.length; at++) if (pattern.test(lines[at])) found.push(at);
  parentPort.postMessage(found);
});
`;

/** Makes a finder; a pattern that is no regular expression is a ToolError. */
export function openLineFinder(query: LineQuery, clock: Clock, signal: AbortSignal): LineFinder {
  return query.isRegex ? regexFinder(query, clock, signal) : literalFinder(query);
}

function literalFinder({ text, ignoreCase }: LineQuery): LineFinder {
  const wanted = ignoreCase ? text.toLowerCase() : text;
  const holds = (line: string): boolean =>
    (ignoreCase ? line.toLowerCase() : line).includes(wanted);
  return {
    find: async (lines) => lines.flatMap((line, at) => (holds(line) ? [at] : [])),
    close: async () => undefined,
  };
}

function regexFinder(
  { text, ignoreCase }: LineQuery,
  clock: Clock,
  signal: AbortSignal,
): LineFinder {
  const flags = ignoreCase ? "i" : "";
  try {
    void new RegExp(text, flags);
  } catch (cause) {
    throw new ToolError(
      "tool-arguments-invalid",
      `\`text\` is no regular expression: ${messageOf(cause)}; mend it, or leave out isRegex.`,
      { cause },
    );
  }
  const worker = new Worker(MATCHER, {
    eval: true,
    workerData: { source: text, flags },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  return {
    find: (lines) => ask(worker, lines, clock, signal),
    close: async () => {
      await worker.terminate();
    },
  };
}

async function ask(
  worker: Worker,
  lines: readonly string[],
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const ended = (done: () => void): void => {
      cancel();
      forget();
      worker.removeAllListeners("message").removeAllListeners("error");
      done();
    };
    const stop = (fault: Error): void => {
      ended(() => reject(fault));
    };
    const cancel = clock.after(MAX_BATCH_MS, () => stop(tooSlow()));
    const forget = onAborted(signal, () => stop(signal.reason as Error));
    worker.once("message", (found: readonly number[]) => ended(() => resolve(found)));
    worker.once("error", (fault) => stop(fault));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(lines);
  });
}

function tooSlow(): ToolError {
  return new ToolError(
    "tool-arguments-invalid",
    "The regular expression takes too long on these files; write it without repeats inside repeats, such as (a+)+, or look for a plain text.",
  );
}
