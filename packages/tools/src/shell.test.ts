import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Json, ToolFunction } from "@loopwright/core/plugin";
import { testClock, tempFolder, toolContext } from "@loopwright/testkit";
import { describe, expect, it } from "vitest";
import { shell } from "./shell.ts";
import type { Allowed } from "./shell/allow-list.ts";

interface Result {
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly note?: string;
}

const node = process.execPath;

function make(given: { allow?: readonly Allowed[]; [option: string]: unknown } = {}) {
  const projectRoot = tempFolder();
  const clock = testClock();
  const options = { allow: [node], maxTime: 20_000, maxBytes: 20_000, ...given };
  const run = shell.create(options as never, { clock, projectRoot } as never);
  const call = run as ToolFunction<unknown, unknown>;
  return {
    projectRoot,
    clock,
    call: async (input: object, signal?: AbortSignal) =>
      (await call(input, toolContext(signal === undefined ? {} : { signal }))) as Result,
    /** Runs a script of Node's. */
    script: async (text: string, args: readonly string[] = [], signal?: AbortSignal) =>
      (await call(
        { command: node, args: ["-e", text, "--", ...args] },
        toolContext(signal === undefined ? {} : { signal }),
      )) as Result,
  };
}

/** Waits until something holds; a test that waits in vain fails by its own timeout. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Whether a process is gone; one that waits to be collected by its parent does nothing any more. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  const state = `/proc/${pid}/stat`;
  if (process.platform !== "linux") return false;
  return !existsSync(state) || / Z /.test(readFileSync(state, "utf8"));
}

const sleeper = "setInterval(() => {}, 1000);";
const stubborn = `process.on("SIGTERM", () => {});${sleeper}`;

/** Starts a grandchild, tells both ids in a file, and goes on. */
function family(file: string, child: string, own: string, stdio = "inherit"): string {
  return `const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["-e", ${JSON.stringify(`${child}require("node:fs").appendFileSync(${JSON.stringify(file)}, " " + process.pid + " ");`)}], { stdio: ${JSON.stringify(stdio)} });
    require("node:fs").appendFileSync(${JSON.stringify(file)}, " " + process.pid + " ");${own}`;
}

function idsIn(file: string): readonly number[] {
  return existsSync(file) ? (readFileSync(file, "utf8").match(/\d+(?= )/g) ?? []).map(Number) : [];
}

describe("shell", { timeout: 60_000 }, () => {
  it("returns exit code and both streams; another code than 0 is a result", async () => {
    const { script } = make();
    expect(await script('console.log("out"); console.error("err"); process.exitCode = 3')).toEqual({
      exitCode: 3,
      stdout: "out\n",
      stderr: "err\n",
    });
  });

  it("tells the signal that ended a program", async () => {
    expect(await make().script('process.kill(process.pid, "SIGKILL")')).toMatchObject({
      exitCode: null,
      signal: "SIGKILL",
    });
  });

  it("hands arguments over as they are, whatever a shell would make of them", async () => {
    const { script, projectRoot } = make();
    const odd = [
      "; touch pwned",
      "$(touch pwned)",
      "`touch pwned`",
      "*",
      "$HOME",
      "a b",
      "| cat",
      "",
      "-rf",
      "\n",
      "'\"",
      "&& touch pwned",
      "{a,b}",
      "~",
    ];
    const { stdout } = await script("console.log(JSON.stringify(process.argv.slice(1)))", odd);
    expect(JSON.parse(stdout)).toEqual(odd);
    expect(existsSync(join(projectRoot, "pwned"))).toBe(false);
  });

  it("shows no variable of the host but the few that programs need", async () => {
    process.env["LOOPWRIGHT_CANARY"] = "canary-in-the-environment";
    try {
      const { script } = make({ env: { GREETING: "hello" } });
      const { stdout } = await script("console.log(JSON.stringify(process.env))");
      expect(stdout).not.toContain("canary");
      const names = Object.keys(JSON.parse(stdout) as Record<string, Json>);
      expect(names).toEqual(expect.arrayContaining(["PATH", "GREETING"]));
      const known = new Set([
        "PATH",
        "HOME",
        "LANG",
        "TMPDIR",
        "GREETING",
        "__CF_USER_TEXT_ENCODING",
      ]);
      expect(names.filter((name) => !known.has(name))).toEqual([]);
    } finally {
      delete process.env["LOOPWRIGHT_CANARY"];
    }
  });

  it("gives nothing to read", async () => {
    const { stdout } = await make().script(
      'process.stdin.on("data", () => {}).on("end", () => console.log("the end"))',
    );
    expect(stdout).toBe("the end\n");
  });

  it("runs in the project, or a folder of it, and nowhere else", async () => {
    const { call, projectRoot } = make();
    mkdirSync(join(projectRoot, "inner"));
    symlinkSync("/", join(projectRoot, "out"));
    const args = ["-p", "process.cwd()"];
    const input = { command: node, args };
    expect((await call({ ...input, folder: "inner" })).stdout).toMatch(/\/inner\n$/);
    writeFileSync(join(projectRoot, "file.txt"), "");
    await expect(call({ ...input, folder: "file.txt" })).rejects.toThrow(
      /^Not run: "file\.txt" is no folder/,
    );
    for (const folder of ["..", "/", "out", "inner/../..", "missing"])
      await expect(call({ ...input, folder })).rejects.toMatchObject({ family: "ToolError" });
  });

  it("finds a name in PATH, and refuses to find it in the project", async () => {
    const { call, projectRoot } = make({ allow: ["planted", "ls", "./planted"] });
    writeFileSync(join(projectRoot, "planted"), "#!/bin/sh\necho planted\n");
    chmodSync(join(projectRoot, "planted"), 0o755);
    expect(await call({ command: "ls" })).toMatchObject({ exitCode: 0, stdout: "planted\n" });
    await expect(call({ command: "planted" })).rejects.toThrow(
      /`planted` can't be run here: it is not found in PATH/,
    );
    expect((await call({ command: "./planted" })).stdout).toBe("planted\n");
  });

  it("says so where a program can't be started", async () => {
    const { call, projectRoot } = make({ allow: ["./odd"] });
    writeFileSync(join(projectRoot, "odd"), "#!/no/such/interpreter\n");
    chmodSync(join(projectRoot, "odd"), 0o755);
    const ending = await call({ command: "./odd" }).catch((fault: unknown) => fault);
    expect(ending).toMatchObject({
      family: "ToolError",
      message: expect.stringMatching(/could not be started/),
    });
  });

  it("describes binary output", async () => {
    const { stdout } = await make().script(
      "process.stdout.write(Buffer.from([127, 69, 76, 70, 0, 1]))",
    );
    expect(stdout).toBe("[binary output, 6 bytes; the first are 7f454c460001]");
  });

  it("keeps text of any script whole where it is cut, and drops the colours of terminals", async () => {
    const { script } = make({ maxBytes: 10 });
    const { stdout } = await script(
      'process.stdout.write("\\u001b[31m好\\u001b[0m" + "好".repeat(50))',
    );
    expect(stdout).not.toContain("\u{FFFD}");
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toMatch(/\[\d+ bytes left out here\]\n好$/);
  });

  it("takes a flood of output in little memory, and keeps its beginning and its end", async () => {
    const { script } = make();
    const before = process.memoryUsage().rss;
    const { stdout, exitCode } = await script(`
      const line = Buffer.alloc(1_000_000, "y\\n");
      let left = 100;
      const more = () => { while (left-- > 0) if (!process.stdout.write(line)) return process.stdout.once("drain", more); process.stdout.end("last\\n"); };
      console.log("first"); more();`);
    expect(exitCode).toBe(0);
    expect(stdout.length).toBeLessThan(20_100);
    expect(stdout).toMatch(/^first\ny\n[^]*\n\[999\d{5} bytes left out here\]\n[^]*y\nlast\n$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
  });
});

describe("the processes of a shell call", { timeout: 60_000 }, () => {
  it("are gone after an abort, grandchildren too, though they ignore SIGTERM", async () => {
    const { script, projectRoot } = make();
    const file = join(projectRoot, "ids");
    const abort = new AbortController();
    const pending = script(family(file, stubborn, stubborn), [], abort.signal);
    const ending = pending.catch((fault: Error) => fault.message);
    await until(() => idsIn(file).length === 2);
    expect(idsIn(file).map(isGone)).toEqual([false, false]);
    abort.abort(new Error("enough"));
    expect(await ending).toBe("enough");
    await until(() => idsIn(file).every(isGone));
  });

  it("are ended when the time is up, by the clock; what was written comes back", async () => {
    const { script, clock, projectRoot } = make();
    const file = join(projectRoot, "ids");
    const pending = script(`console.log("so far");${family(file, sleeper, sleeper)}`);
    await until(() => idsIn(file).length === 2);
    await clock.advance(19_999);
    expect(idsIn(file).map(isGone)).toEqual([false, false]);
    await clock.advance(1);
    expect(await pending).toEqual({
      exitCode: null,
      signal: "SIGTERM",
      stdout: "so far\n",
      stderr: "",
      note: "Ended after 20 s; it was not finished.",
    });
    await until(() => idsIn(file).every(isGone));
    expect(clock.timers).toBe(0);
  });

  it("end with the program, and hold up nothing where they keep its output open", async () => {
    const { script, projectRoot } = make();
    const file = join(projectRoot, "ids");
    const result = await script(
      family(
        file,
        stubborn,
        `const wait = setInterval(() => { if (require("node:fs").readFileSync(${JSON.stringify(file)}, "utf8").match(/\\d+ /g).length === 2) process.exit(0); }, 20);`,
      ),
    );
    expect(result.exitCode).toBe(0);
    await until(() => idsIn(file).every(isGone));
  });

  it("hold up nothing where one has left its group and keeps the output open", async () => {
    const { script, projectRoot } = make();
    const file = join(projectRoot, "ids");
    const result = await script(`
      const child = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(sleeper)}], { stdio: "inherit", detached: true });
      require("node:fs").writeFileSync(${JSON.stringify(file)}, child.pid + " ");
      console.log("done"); child.unref();`);
    for (const pid of idsIn(file)) process.kill(pid, "SIGKILL");
    expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
  });

  it("leave no listener behind", async () => {
    const listeners = process.listenerCount("exit");
    const { script, projectRoot } = make();
    const abort = new AbortController();
    await script("0", [], abort.signal);
    const file = join(projectRoot, "ids");
    const pending = script(family(file, sleeper, sleeper), [], abort.signal).catch(() => undefined);
    await until(() => idsIn(file).length === 2);
    abort.abort();
    await pending;
    await until(() => process.listenerCount("exit") === listeners);
  });

  it("do not begin after an abort", async () => {
    const { script, projectRoot } = make();
    const mark = join(projectRoot, "mark");
    const text = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "")`;
    await expect(script(text, [], AbortSignal.abort(new Error("over")))).rejects.toThrow("over");
    expect(existsSync(mark)).toBe(false);
  });
});

describe("the list of what a shell may run", () => {
  const judged = async (allow: readonly Allowed[], command: string, args: readonly string[]) => {
    const { call } = make({ allow });
    return call({ command, args }).then(
      ({ exitCode }) => exitCode,
      (fault: Error) => fault.message,
    );
  };

  it.each([
    [["echo"], "echo", ["anything", "-n"]],
    [["echo one two"], "echo", ["one", "two", "three"]],
    [[{ command: "echo", arguments: ["[a-z]+", "-n"] }], "echo", ["-n", "abc"]],
    [[{ command: "echo one", arguments: [] }], "echo", ["one"]],
    [["ls", { command: "echo", arguments: ["a"] }, "echo b"], "echo", ["b", "c"]],
  ] as const)("%j lets %s %j pass", async (allow, command, args) => {
    expect(await judged(allow, command, args)).toBe(0);
  });

  it.each([
    [["echo"], "ls", [], /`ls` is not allowed: the programs are echo\. Allowed: `echo \.\.\.`/],
    [["echo"], "ecoh", [], /: did you mean `echo`\? Allowed: /],
    [["echo"], "/bin/echo", [], /not allowed/],
    [["/bin/echo"], "echo", [], /not allowed/],
    [["echo"], "echo hello", [], /not allowed/],
    [["echo"], "", [], /not allowed/],
    [
      ["echo one"],
      "echo",
      ["two"],
      /These arguments of `echo` are not allowed\. Allowed: `echo one \.\.\.`/,
    ],
    [["echo one"], "echo", [], /These arguments/],
    [[{ command: "echo", arguments: ["[a-z]+"] }], "echo", ["abc", "ab1"], /like \/\[a-z\]\+\//],
    [[{ command: "echo", arguments: ["[a-z]+"] }], "echo", ["abc\n1"], /These arguments/],
    [[{ command: "echo", arguments: ["a|b"] }], "echo", ["ax"], /These arguments/],
    [[{ command: "echo one", arguments: [] }], "echo", ["one", "two"], /and nothing more/],
    [["echo"], "echo", ["a\0b"], /NUL/],
  ] as const)("%j stops %s %j", async (allow, command, args, message) => {
    expect(await judged(allow, command, args)).toMatch(message);
  });

  it("stops arguments that no system takes", async () => {
    expect(await judged(["echo"], "echo", ["x".repeat(100_001)])).toMatch(/more than 100000 bytes/);
  });

  it("is judged with the spec", () => {
    const problems = (allow: readonly Allowed[]) => shell.validate?.({ allow } as never) ?? [];
    expect(problems([])).toEqual([
      {
        option: "allow",
        message: "`shell` runs nothing until `allow` names what it may run",
        repair: "write `allow: [ls, { command: git log, arguments: ['--max-count=[0-9]+'] }]`",
      },
    ]);
    expect(problems([" "])).toMatchObject([{ message: "an entry of `allow` names no program" }]);
    expect(problems([{ command: "ls", arguments: ["("] }])).toMatchObject([
      { message: "`(` is no regular expression" },
    ]);
    expect(problems(["ls", "wc -l", "bash build.sh", { command: "bash", arguments: [] }])).toEqual(
      [],
    );
    expect(problems(["git log"])).toEqual([
      {
        option: "allow",
        severity: "warning",
        message: "`git log` can run other programs or write any file, as its further arguments say",
        repair: "say which ones: `{ command: git log, arguments: ['--max-count=[0-9]+'] }`",
      },
    ]);
  });

  it.each(
    "bash|/bin/bash|bash -c|bash run|node -e|python3.11 -m x|python3|sudo ls|env X=1|git|busybox|setsid|npm|npm run build|tar|sed|stdbuf|watch|find|lua5.4".split(
      "|",
    ),
  )("warns of %s", (entry) => {
    expect(shell.validate?.({ allow: [entry] } as never)).toMatchObject([{ severity: "warning" }]);
  });

  it.each([
    ["([a-z]+)+", /can take unbounded time/],
    ["(a|aa)*b", /can take unbounded time/],
    [".*.*.*x", /can take very long/],
    ["a)|(?:b", /is no regular expression/],
  ])("takes no pattern like %s", (pattern, message) => {
    const allow = [{ command: "ls", arguments: ["[a-z]+", pattern] }];
    expect(shell.validate?.({ allow } as never)).toMatchObject([
      { option: "allow", message: expect.stringMatching(message) },
    ]);
  });

  it("tries no pattern on a long argument", async () => {
    const allow = [{ command: "echo", arguments: ["a+"] }];
    expect(await judged(allow, "echo", ["a".repeat(2_000)])).toBe(0);
    expect(await judged(allow, "echo", ["a".repeat(2_001)])).toMatch(/These arguments/);
  });

  it("is what the model may choose from", () => {
    const input = shell.input as (options: object) => Json;
    expect(input({ allow: ["git log", "git status", "ls"] })).toMatchObject({
      properties: { command: { enum: ["git", "ls"] } },
    });
  });
});
