import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";

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

/** Runs the command from source to its end. */
export function spawnCommand(args: readonly string[], options: SpawnOptions): Promise<Ended> {
  const loader = pathToFileURL(inRepository("node_modules/tsx/dist/loader.mjs")).href;
  const main = inRepository("packages/cli/src/main.ts");
  const { PATH, HOME } = process.env;
  const child = spawn(
    process.execPath,
    ["--conditions=@loopwright/source", "--import", loader, main, ...args],
    {
      cwd: options.cwd,
      env: { PATH, HOME, TSX_TSCONFIG_PATH: inRepository("tsconfig.json") },
    },
  );
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
