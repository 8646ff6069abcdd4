import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { type Clock, type Json, onAborted, ToolError } from "@loopwright/core/plugin";
import { sandboxProgram } from "./sandbox-program.ts";

/** How much longer than its own deadline a worker lives that does not look at it. */
const stuckMs = 2_000;
const maxShownLines = 5;

/** Code to run, and within what. */
export interface SandboxCall {
  readonly code: string;
  readonly input: Json | undefined;
  readonly maxMemory: number;
  readonly maxTimeMs: number;
  readonly maxChars: number;
}

/** What code ended with and printed; to a fault belongs the interpreter's stack. */
interface Reply {
  readonly json?: string;
  readonly isBody?: boolean;
  readonly fault?: string;
  readonly stack?: string;
  readonly isOverdue?: true;
  readonly logs: readonly string[];
}

/** The value of the last expression, absent where it has none, and the lines that were printed. */
export interface SandboxResult {
  /** Whether the code ran as the body of a function, whose value is what it returns. */
  readonly isBody: boolean;
  readonly result?: Json;
  readonly logs: readonly string[];
}

/** Runs code in a worker of its own, ended with the call, on an abort, and when it does not end by itself in time. */
export async function runSandbox(
  call: SandboxCall,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<SandboxResult> {
  signal.throwIfAborted();
  const worker = start(call);
  let release = (): void => undefined;
  let stopTimer = (): void => undefined;
  const cutShort = new Promise<never>((_, reject) => {
    release = onAborted(signal, () => reject(signal.reason as Error));
    stopTimer = clock.after(call.maxTimeMs + stuckMs, () => reject(overdue(call, [])));
  });
  try {
    return resultOf(await Promise.race([cutShort, replyOf(worker)]), call);
  } finally {
    release();
    stopTimer();
    // Not waited for: a worker that computes is ended in the midst of it.
    void worker.terminate();
  }
}

function start({ code, input, ...limits }: SandboxCall): Worker {
  const { resolve } = createRequire(import.meta.url);
  return new Worker(sandboxProgram, {
    eval: true,
    env: {},
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
    workerData: {
      code,
      input: input === undefined ? undefined : JSON.stringify(input),
      ...limits,
      core: resolve("quickjs-emscripten-core"),
      variant: resolve("@jitl/quickjs-wasmfile-release-sync"),
    },
  });
}

function replyOf(worker: Worker): Promise<Reply> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", (fault) => reject(crash(fault)));
    worker.once("exit", () => reject(crash(new Error("it ended without an answer"))));
  });
}

function resultOf(
  { json, isBody = false, fault, stack = "", isOverdue, logs }: Reply,
  call: SandboxCall,
): SandboxResult {
  if (isOverdue === true) throw overdue(call, logs);
  if (fault !== undefined) throw failure(`The code failed. ${placed(fault, stack)}`, logs);
  if (json === undefined || json === "") return { isBody, logs };
  return { isBody, result: JSON.parse(json) as Json, logs };
}

/** The message of a fault with the innermost line of the model's code that its stack names. */
function placed(fault: string, stack: string): string {
  const line = /\(?code\.js:(\d{1,7})(?!\d)/.exec(stack)?.[1];
  const hint = /out of memory/.test(fault) ? "; keep less at a time" : "";
  return `${fault}${hint}${line === undefined ? "" : ` (line ${line})`}`;
}

function overdue({ maxTimeMs }: SandboxCall, logs: readonly string[]): ToolError {
  const message = `The code ran longer than ${maxTimeMs / 1000} s and was stopped; look for a loop that does not end, or compute less.`;
  return failure(message, logs);
}

function failure(message: string, logs: readonly string[]): ToolError {
  const last = logs.slice(-maxShownLines).map((line) => `\n${line}`);
  return new ToolError(
    "tool-failed",
    last.length === 0 ? message : `${message}\nIt printed:${last.join("")}`,
  );
}

function crash(fault: Error): ToolError {
  const message = `The sandbox broke off (${fault.message}); write the code in another way.`;
  return new ToolError("tool-failed", message, { cause: fault });
}
