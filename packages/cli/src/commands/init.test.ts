import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { runInProcess } from "../../test/run-in-process.ts";
import { STARTERS } from "../agent-files.ts";
import { readArguments } from "../arguments.ts";
import { COMMANDS } from "../command-table.ts";
import { initFrom } from "./init.ts";

const home = mkdtempSync(join(tmpdir(), "loopwright-init-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const at = (...parts: readonly string[]): string => join(home, ...parts);
const init = (...argv: readonly string[]) => runInProcess("init", ...argv);

const starters = STARTERS.flatMap(({ id }) => [
  [id, "none"],
  [id, "calculator"],
]);

test.each(starters)("--strategy %s with the tools %s passes its check", async (id, tools) => {
  const folder = at(`${id}-${tools}`);
  const task = 'Add: "1, 2" # now';
  const given = ["--strategy", id ?? "", "--tools", tools ?? "", "--task", task, "--yes"];
  expect((await init(folder, ...given)).code).toBe(0);
  const spec = join(folder, `${id}-${tools}.yaml`);
  const { code, stdout } = await runInProcess("check", spec);
  expect({ code, errors: /[1-9]\d* error/u.exec(stdout) }).toEqual({ code: 0, errors: null });
});

test.each(starters)(
  "--strategy %s with the tools %s runs offline on a scripted model",
  async (id, tools) => {
    const folder = at(`offline-${id}-${tools}`);
    const given = ["--strategy", id ?? "", "--tools", tools ?? "", "--model", "scripted/demo"];
    const made = await init(folder, ...given, "--name", "demo", "--yes");
    expect(made.code).toBe(0);
    expect(made.stdout).toContain(
      `demo.replies.yaml: what the scripted model says, so that it runs offline\n`,
    );
    expect(readFileSync(join(folder, ".env.example"), "utf8")).toContain("needs no key");
    const { code, stdout } = await runInProcess("run", join(folder, "demo.yaml"), "Hello.");
    expect(code).toBe(0);
    expect(stdout).toMatch(/[●✓] done/u);
    expect(stdout).toContain("This answer is written in a file");
  },
);

test("it never overwrites the replies of a scripted model, and then writes no spec", async () => {
  await init(at("told"), "--name", "desk", "--yes");
  writeFileSync(at("told", "other.replies.yaml"), "mine\n");
  const given = ["--name", "other", "--model", "scripted/demo", "--yes"];
  const { code, stderr } = await init(at("told"), ...given);
  expect(code).toBe(4);
  expect(stderr).toContain("other.replies.yaml exists, and init never overwrites a file");
  expect(readdirSync(at("told")).toSorted()).toEqual([
    ".env.example",
    "desk.yaml",
    "other.replies.yaml",
  ]);
  expect(readFileSync(at("told", "other.replies.yaml"), "utf8")).toBe("mine\n");
});

test("--yes takes the defaults, and says what comes next", async () => {
  const { code, stdout } = await init(at("Order Desk"), "--yes");
  expect(code).toBe(0);
  expect(readdirSync(at("Order Desk")).toSorted()).toEqual([".env.example", "order-desk.yaml"]);
  const [, , next, first, second] = stdout.split("\n");
  expect(next).toBe("next");
  expect(first).toMatch(/^ {2}loopwright check '.*Order Desk\/order-desk\.yaml'$/u);
  expect(second).toMatch(/^ {2}loopwright run '.*order-desk\.yaml' "/u);
});

test("without a terminal it says which answers are missing, and writes nothing", async () => {
  const { code, stderr } = await init(at("silent"), "--name", "desk", "--tools", "none");
  expect(code).toBe(64);
  expect(stderr).toContain("--model, --task, --strategy, or --yes");
  expect(existsSync(at("silent"))).toBe(false);
});

test("it never overwrites a spec", async () => {
  await init(at("kept"), "--name", "desk", "--yes");
  writeFileSync(at("kept", "desk.yaml"), "mine\n");
  const { code, stderr } = await init(at("kept"), "--name", "desk", "--yes");
  expect(code).toBe(4);
  expect(stderr).toContain("desk.yaml exists, and init never overwrites a file");
  expect(readFileSync(at("kept", "desk.yaml"), "utf8")).toBe("mine\n");
});

test("an .env.example that is there stays", async () => {
  await init(at("two"), "--name", "first", "--yes");
  writeFileSync(at("two", ".env.example"), "OTHER=\n");
  const { code, stdout } = await init(at("two"), "--name", "second", "--yes");
  expect(code).toBe(0);
  expect(stdout).toContain(".env.example as it is");
  expect(readFileSync(at("two", ".env.example"), "utf8")).toBe("OTHER=\n");
});

test.each([
  [["--tools", "calculater"], 4, "did you mean `calculator`?"],
  [["--model", "gpt-5"], 4, "provider/name"],
  [["--model", "replay/one"], 4, "scripted/NAME runs offline too"],
  [["--model", "olama/x"], 4, "did you mean `ollama`?"],
  [["--name", "Order Desk"], 4, "kebab-case"],
  [["--strategy", "raect"], 4, "did you mean react?"],
])("%j is refused, and nothing is written", async (argv, exit, message) => {
  const { code, stderr } = await init(at("wrong"), ...argv, "--yes");
  expect({ code, isTold: stderr.includes(message) }).toEqual({ code: exit, isTold: true });
  expect(existsSync(at("wrong"))).toBe(false);
});

test("tools that the strategy can't call are told", async () => {
  const { code, stderr } = await init(
    at("idle"),
    "--tools",
    "calculator",
    "--strategy",
    "direct",
    "--yes",
  );
  expect(code).toBe(0);
  expect(stderr).toBe(
    "loopwright: with the strategy direct nothing can call calculator; write `strategy: react`, or delete `tools`\n",
  );
  const acting = await init(at("busy"), "--tools", "calculator", "--strategy", "verify", "--yes");
  expect(acting.stderr).toBe("");
});

/** A keyboard that types keys as soon as each question stands, and the screen that it sees. */
function terminal(keys: readonly (readonly [question: RegExp, typed: string])[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 40 });
  let seen = "";
  const left = [...keys];
  output.on("data", (piece) => {
    seen += String(piece);
    const [next] = left;
    if (next === undefined || !next[0].test(seen)) return;
    left.shift();
    seen = "";
    void sleep(20).then(() => input.write(next[1]));
  });
  return { input, output };
}

const argumentsOf = (...argv: readonly string[]) =>
  readArguments("init", argv, COMMANDS.get("init")?.options ?? {});

test("it asks for what no option says", async () => {
  const told = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const screen = terminal([
      [/Which model/u, "\r"],
      // The second: what needs options stands in no list of names.
      [/Which tools/u, "\u001b[B \r"],
      [/How does it work/u, "\r"],
    ]);
    const given = argumentsOf(at("asked"), "--name", "asked", "--task", "Add.");
    expect(await initFrom(given, screen)).toBe(0);
  } finally {
    told.mockRestore();
  }
  const text = readFileSync(at("asked", "asked.yaml"), "utf8");
  expect(text).toMatch(/^tools:\n {2}- calculator$/mu);
  expect(text).toMatch(/^model: deepseek\//mu);
});

test("a task that is no sound template is refused at its question, which is asked again", async () => {
  const told = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const screen = terminal([
      [/What does it do/u, "Add {{ inputs.y }}.\r"],
      [/inputs[^]*What does it do/u, "Add.\r"],
    ]);
    const said = ["--name", "again", "--model", "ollama/x", "--tools", "none"];
    const given = argumentsOf(at("again"), ...said, "--strategy", "direct");
    expect(await initFrom(given, screen)).toBe(0);
  } finally {
    told.mockRestore();
  }
  expect(readFileSync(at("again", "again.yaml"), "utf8")).toMatch(/^task: Add\.$/mu);
});

test("what stands against a folder is said in one sentence", async () => {
  writeFileSync(at("plain"), "");
  const { code, stderr } = await init(at("plain"), "--yes");
  expect(code).toBe(4);
  expect(stderr).toMatch(/^loopwright: .*plain is a file, not a folder\n$/u);
});

test("Ctrl-C in a question: 130, and nothing is written", async () => {
  const screen = terminal([
    [/Which model/u, "\r"],
    [/What does it do/u, "\u0003"],
  ]);
  expect(await initFrom(argumentsOf(at("left"), "--name", "left"), screen)).toBe(130);
  expect(existsSync(at("left"))).toBe(false);
});
