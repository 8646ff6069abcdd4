import { vi } from "vitest";
import { runCommandLine } from "../src/command-line.ts";
import { tellFault } from "../src/tell-fault.ts";

/** What a command line came to. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, as main.ts does, and keeps what it prints. */
export async function runInProcess(...argv: readonly string[]): Promise<Finished> {
  const printed = { stdout: "", stderr: "" };
  const { exitCode } = process;
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((piece) => {
      printed[name] += String(piece);
      return true;
    }),
  );
  try {
    const code = await runCommandLine(argv).catch((fault: unknown) => tellFault(fault, argv));
    return { code, ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = exitCode;
  }
}
