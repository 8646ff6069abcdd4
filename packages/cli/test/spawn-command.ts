import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const inRepository = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** What a command came to. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is run: without a terminal, and without the keys of whoever runs the tests. */
export interface SpawnOptions {
  readonly cwd: string;
  readonly input?: string;
  /** Called with everything printed so far, whenever something is printed. */
  readonly onOutput?: (child: ChildProcess, printed: string) => void;
  /** Called as soon as it runs. */
  readonly onSpawn?: (child: ChildProcess) => void;
}

/** The folder of the repository. */
export const repository: string = inRepository("");

/** The command as it is installed: bundled before the tests. From source it would load for seconds each time. */
export const bundledCommand: string = inRepository("packages/cli/bundle/main.js");

/** Runs the bundled command to its end. */
export function spawnCommand(args: readonly string[], options: SpawnOptions): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [bundledCommand, ...args], {
    cwd: options.cwd,
    env: { PATH, HOME },
  });
  options.onSpawn?.(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (piece) => {
    stdout += String(piece);
    options.onOutput?.(child, stdout + stderr);
  });
  child.stderr.on("data", (piece) => {
    stderr += String(piece);
    options.onOutput?.(child, stdout + stderr);
  });
  child.stdin.end(options.input ?? "");
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}
