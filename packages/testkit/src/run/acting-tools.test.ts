import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Clock, provide, type Run } from "@loopwright/core";
import type { ScriptedReply } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { runScripted, type ScriptedRun } from "../promises/run-scripted.ts";
import { tempFolder } from "../conformance/temp-folder.ts";
import { testClock } from "../test-clock.ts";

/** A model's wish to call tools, each with its arguments. */
function wish(...calls: readonly (readonly [string, object])[]): ScriptedReply {
  return { calls: calls.map(([name, input]) => ({ name, arguments: { ...input } })) };
}

/** What the tools returned, as it was recorded. */
function observed(run: ScriptedRun): readonly unknown[] {
  return run.events.filter(({ name }) => name === "observation.recorded").map(({ data }) => data);
}

/** Answers every approval as soon as it is asked for. */
function answering(approved: boolean): (live: Run) => void {
  return (live) => {
    live.on("approval.requested", ({ data: { id } }) => {
      setImmediate(() => live.respond(id, { approved }));
    });
  };
}

/** Whether a process is gone, or waits to be collected by a parent that does not. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  if (process.platform !== "linux") return false;
  return !existsSync(`/proc/${pid}/stat`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

describe("tools that act, in a run", { timeout: 60_000 }, () => {
  it("compute, tell the time by the run's clock, and go on where nobody answers", async () => {
    const calls = wish(
      ["javascript", { code: "input.reduce((a, b) => a + b)", input: [1, 2, 3] }],
      ["current-time", { timeZone: "Asia/Tokyo" }],
      ["ask-person", { question: "Which size?" }],
    );
    const run = await runScripted(
      "tools: [javascript, current-time, ask-person]\nstrategy: react\n",
      [calls, "six"],
      {
        settings: { isPersonPresent: false },
        services: [provide(Clock, testClock(Date.parse("2024-02-29T20:00:00Z")))],
      },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(observed(run)).toMatchObject([
      { tool: "javascript", ok: true, content: expect.stringContaining("6") },
      {
        tool: "current-time",
        ok: true,
        content: expect.stringContaining("2024-03-01T05:00:00+09:00"),
      },
      { tool: "ask-person", ok: true, content: expect.stringMatching(/^Nobody answered/) },
    ]);
  });

  it("keep what they changed, and change nothing without an approval", async () => {
    const root = tempFolder();
    const body =
      "tools: { db: { use: sqlite-execute, file: shop.db }, run: { use: shell, allow: [touch] } }\nstrategy: react\n";
    const replies = [
      wish(["db", { sql: "create table t(a)" }], ["run", { command: "touch", args: ["made"] }]),
      "done",
    ];
    const denied = await runScripted(body, replies, { root, onRun: answering(false) });
    expect(observed(denied)).toMatchObject([{ ok: false }, { ok: false }]);
    expect(["shop.db", "made"].map((name) => existsSync(join(root, name)))).toEqual([false, false]);
    const run = await runScripted(body, replies, { root, onRun: answering(true) });
    expect(observed(run)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(["shop.db", "made"].map((name) => existsSync(join(root, name)))).toEqual([true, true]);
  });

  it("leave no process when the run is aborted", async () => {
    const root = tempFolder();
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
    const tell = 'require("node:fs").appendFileSync("ids", process.pid + " ");';
    const script = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(stubborn + tell)}], { stdio: "inherit" });${stubborn}${tell}`;
    const ids = (): readonly number[] => {
      const file = join(root, "ids");
      return existsSync(file)
        ? (readFileSync(file, "utf8").match(/\d+(?= )/g) ?? []).map(Number)
        : [];
    };
    const run = await runScripted(
      `tools: { run: { use: shell, allow: [${process.execPath}], approval: never } }\nstrategy: react\n`,
      [wish(["run", { command: process.execPath, args: ["-e", script] }]), "done"],
      {
        root,
        onRun: (live) => {
          const waiting = setInterval(() => {
            if (ids().length < 2) return;
            clearInterval(waiting);
            live.abort("enough");
          }, 20);
        },
      },
    );
    expect(run.outcome).toMatchObject({ outcome: "aborted", reason: "enough" });
    expect(ids()).toHaveLength(2);
    while (!ids().every(isGone)) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
