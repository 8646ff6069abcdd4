import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));

/** What a child process printed, and how and when it ended. */
interface Ended {
  readonly code: number | null;
  readonly printed: string;
  readonly endedAt: number;
}

/** Runs a program of this folder in a process of its own; one that does not end is killed after the time. */
async function runProcess(
  name: string,
  flags: readonly string[],
  args: readonly string[],
  maxMs: number,
): Promise<Ended> {
  const file = fileURLToPath(new URL(`./processes/${name}.ts`, import.meta.url));
  const child = spawn(
    process.execPath,
    [...flags, "--conditions=@loopwright/source", "--import", "tsx", file, ...args],
    { cwd: repository, stdio: ["ignore", "pipe", "inherit"] },
  );
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const guard = setTimeout(() => child.kill("SIGKILL"), maxMs);
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(guard);
  return { code, printed, endedAt: Date.now() };
}

/** A frame with its state takes more than this: what every run left behind would show. */
const BYTES_A_RUN = 4_096;
const RUNS = 1_000;

describe("what runs leave behind", () => {
  it("is nothing after a thousand runs on one shared signal: no listener, no timer, no heap", async () => {
    const { code, printed } = await runProcess(
      "many-runs",
      ["--expose-gc"],
      [String(RUNS)],
      170_000,
    );
    expect(code).toBe(0);
    const left = JSON.parse(printed) as Readonly<Record<string, number>>;
    expect(left).toMatchObject({ listeners: 0, timers: 0, listenersKept: 0 });
    expect(left["outcomes"]).toMatchObject({
      done: expect.any(Number),
      aborted: expect.any(Number),
    });
    expect(left["held"]).toBeGreaterThan(10);
    expect(left["grownBytes"]).toBeLessThan(RUNS * BYTES_A_RUN);
  }, 180_000);

  it("does not keep the process: it ends by itself once the apps are closed, however their runs were left", async () => {
    const { code, printed, endedAt } = await runProcess("one-run", [], [], 110_000);
    expect(printed.trim().split("\n").slice(0, -1)).toEqual([
      "done: done",
      "aborted: aborted",
      "with open approvals: aborted",
      "with a hanging tool: aborted",
      "with a model under way: aborted",
    ]);
    const closedAt = Number(/closed (\d+)/.exec(printed)?.[1]);
    expect(endedAt - closedAt).toBeLessThan(10_000);
    expect(code).toBe(0);
  }, 120_000);
});
