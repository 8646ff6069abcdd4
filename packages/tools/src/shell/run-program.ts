import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { type Clock, messageOf, onAborted, ToolError } from "@loopwright/core/plugin";
import { KeptOutput } from "./kept-output.ts";
import { ProcessGroup } from "./process-group.ts";

/** How long output is waited for after the end of a program whose children, outside its group, still hold it open. */
const lingerMs = 2_500;

type Program = ChildProcessByStdio<null, Readable, Readable>;

/** A program to run, and within what. */
export interface ProgramCall {
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly maxTimeMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How a program ended and what it wrote. */
export interface ProgramResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly isOverdue: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program without a shell, as the leader of a group of its own, with nothing to read.
 *
 * Contract: settles when the program has ended, at once when the signal aborts; either way, and after `maxTimeMs`, its
 * group is asked to end and then killed. How it ended is a result; that it could not be started is a ToolError.
 */
export async function runProgram(call: ProgramCall): Promise<ProgramResult> {
  call.signal.throwIfAborted();
  const child = start(call);
  const group = child.pid === undefined ? undefined : new ProcessGroup(child.pid);
  let isOverdue = false;
  const stopTimer = call.clock.after(call.maxTimeMs, () => {
    isOverdue = true;
    group?.end();
  });
  let release = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    release = onAborted(call.signal, () => {
      group?.end();
      reject(call.signal.reason as Error);
    });
  });
  try {
    const ending = await Promise.race([aborted, endOf(child, call, group)]);
    return { ...ending, isOverdue };
  } finally {
    stopTimer();
    release();
  }
}

function endOf(
  child: Program,
  { file, maxBytes }: ProgramCall,
  group: ProcessGroup | undefined,
): Promise<Omit<ProgramResult, "isOverdue">> {
  const { stdout, stderr } = child;
  const output = new KeptOutput(maxBytes);
  const errors = new KeptOutput(maxBytes);
  stdout.on("data", (chunk: Buffer) => output.push(chunk));
  stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  let lingering: NodeJS.Timeout | undefined;
  child.once("exit", () => {
    group?.end();
    lingering = setTimeout(() => {
      stdout.destroy();
      stderr.destroy();
    }, lingerMs).unref();
  });
  return new Promise((resolve, reject) => {
    child.once("error", (fault) => reject(startFault(file, fault)));
    child.once("close", (exitCode, signal) => {
      clearTimeout(lingering);
      resolve({ exitCode, signal, stdout: output.text(), stderr: errors.text() });
    });
  });
}

function start({ file, args, folder, env }: ProgramCall): Program {
  try {
    return spawn(file, [...args], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      windowsHide: true,
    });
  } catch (fault) {
    throw startFault(file, fault);
  }
}

function startFault(file: string, fault: unknown): ToolError {
  return new ToolError("tool-failed", `${file} could not be started: ${messageOf(fault)}.`, {
    cause: fault,
  });
}
