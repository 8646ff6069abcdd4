import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exampleFolder } from "./example-specs.ts";
import { type Ended, spawnCommand } from "./spawn-command.ts";

const cwd = exampleFolder();
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const loopwright = (...args: string[]): Promise<Ended> => spawnCommand(args, { cwd });

writeFileSync(
  join(cwd, "secretive.yaml"),
  `apiVersion: loopwright/v1
name: secretive
task: Hello.
model: { use: openai/any, apiKey: "\${secret:LW_NO_SUCH_KEY}" }
models: { judge: { use: openai/other, apiKey: "\${secret:LW_NO_OTHER_KEY}" } }
strategy: [direct, { verify: { model: judge } }]
`,
);
writeFileSync(
  join(cwd, "overlaid.yaml"),
  `apiVersion: loopwright/v1
name: overlaid
task: Hello.
model: { use: scripted/example, file: replies.yaml }
tools: [calculator]
strategy: direct
overlays:
  loud: { strategy: { react: { maxSteps: 9 } }, limits: { modelCalls: 5 } }
`,
);

describe("check", () => {
  test("in a format for machines prints that and nothing else, with paths from here", async () => {
    const { code, stdout, stderr } = await loopwright("check", "unknown.yaml", "--format", "json");
    expect(code).toBe(4);
    const lines = stdout.trimEnd().split("\n");
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      file: "unknown.yaml",
      line: 5,
      column: 11,
      endColumn: 18,
      code: "LW-PLUGIN-UNKNOWN",
      severity: "error",
      message: "no strategy `directt` is installed",
      path: "strategy",
      suggestion: "did you mean `direct`?",
    });
    expect(stderr).toBe("unknown.yaml: 2 errors, 0 warnings\n");
  });

  test("tells what is wrong with an overlay that nobody chose", async () => {
    const { code, stdout } = await loopwright("check", "overlaid.yaml", "--strict");
    expect(code).toBe(4);
    expect(stdout).toMatch(/overlaid\.yaml:8:\d+ LW-LIMIT-BELOW-BOUND warning/u);
    expect(stdout).toContain("note: with overlay `loud`");
  });
});

describe("run", () => {
  test("tells every secret that is not set with its place: 4", async () => {
    const { code, stdout, stderr } = await loopwright("run", "secretive.yaml", "--json");
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^loopwright: secretive\.yaml:4:\d+ the secret LW_NO_SUCH_KEY is not set/u,
    );
    expect(stderr).toMatch(/^secretive\.yaml:5:\d+ the secret LW_NO_OTHER_KEY is not set/mu);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "secret-missing", secrets: [{ name: "LW_NO_SUCH_KEY", line: 4 }, {}] },
    });
  });

  test("tells the warnings of what it runs, and of no other overlay", async () => {
    const plain = await loopwright("run", "overlaid.yaml");
    expect(plain).toEqual({ code: 0, stdout: "It is on its way.\n", stderr: "" });
    const loud = await loopwright("run", "overlaid.yaml", "--overlay", "loud");
    expect(loud.stderr).toContain("LW-LIMIT-BELOW-BOUND");
  });
});

describe("init", () => {
  test("without a terminal says which answers are missing: 64", async () => {
    const { code, stderr } = await loopwright("init", "fresh");
    expect(code).toBe(64);
    expect(stderr).toContain("--name, --model, --task, --tools, --strategy, or --yes");
    expect(existsSync(join(cwd, "fresh"))).toBe(false);
  });

  test("writes a spec that passes its check, and the two commands that come next", async () => {
    const { code, stdout } = await loopwright(
      "init",
      "agents/desk",
      "--tools",
      "calculator",
      "--yes",
    );
    expect(code).toBe(0);
    const next = [...stdout.matchAll(/^ {2}loopwright (.*)$/gmu)].map(([, line = ""]) => line);
    expect(next).toEqual([
      "check agents/desk/desk.yaml",
      'run agents/desk/desk.yaml "What shall it do?"',
    ]);
    const checked = await loopwright("check", "agents/desk/desk.yaml", "--strict");
    expect(checked).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(cwd, "agents/desk/.env.example"), "utf8")).toContain(
      "DEEPSEEK_API_KEY=",
    );
  });
});

test("doctor tells what is missing and where it is used, never a value: 1", async () => {
  writeFileSync(join(cwd, ".env"), "LW_NO_OTHER_KEY=a value nobody sees\n");
  const { code, stdout, stderr } = await loopwright("doctor", "secretive.yaml");
  rmSync(join(cwd, ".env"));
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout).toMatch(/^!! +LW_NO_SUCH_KEY +not set: secretive\.yaml:4:\d+$/mu);
  expect(stdout).toMatch(/^ok +LW_NO_OTHER_KEY +set: secretive\.yaml:5:\d+$/mu);
  expect(stdout).not.toContain("a value nobody sees");
});
