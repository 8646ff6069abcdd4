import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exampleFolder } from "../../test/example-specs.ts";
import { runInProcess } from "../../test/run-in-process.ts";

const folder = exampleFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const check = (...argv: readonly string[]) => runInProcess("check", ...argv);

const HEAD = "apiVersion: loopwright/v1\nname: example\ntask: Hello.\nmodel: ollama/any\n";
writeFileSync(at("warned.yaml"), `${HEAD}strategy: react\n`);
writeFileSync(
  at("ready.yaml"),
  `${HEAD}strategy: [direct, { verify: { checks: [{ rule: { expr: "answer.text != ''", message: It is empty. } }] } }]
limits: { modelCalls: 20, time: 1m }
cases: cases.jsonl
`,
);
writeFileSync(at("cases.jsonl"), '{"task":"Hello.","answer":"Hi."}\n');

test("--format json puts nothing but the findings on standard output, a line each", async () => {
  const { code, stdout, stderr } = await check(
    at("unknown.yaml"),
    at("answer.yaml"),
    "--format",
    "json",
  );
  expect(code).toBe(4);
  const found = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { code: string; line: number });
  expect(found.map((one) => [one.code, one.line])).toEqual([
    ["LW-PLUGIN-UNKNOWN", 5],
    ["LW-PLUGIN-UNKNOWN", 6],
  ]);
  expect(stderr).toContain("unknown.yaml: 2 errors, 0 warnings\n");
  expect(stderr).toContain("answer.yaml: ok; at most");
});

test("a folder where a file is meant is called one, and a path in quotes gets no second pair", async () => {
  const model = 'model: { use: scripted/x, file: "folder.yaml" }';
  const log = 'sinks: { log: { use: jsonl, path: "folder.yaml" } }';
  writeFileSync(
    at("in-place.yaml"),
    `${HEAD.replace("model: ollama/any", model)}strategy: direct\n${log}\n`,
  );
  const { code, stdout } = await check(at("in-place.yaml"));
  expect(code).toBe(4);
  expect(stdout).toContain("LW-FILE-MISSING `folder.yaml` is a folder, not a file\n");
  expect(stdout).toContain("fix: name a file in it\n");
  expect(stdout).toContain(
    "LW-FILE-UNWRITABLE `folder.yaml` can't be written: `folder.yaml` is a folder\n",
  );
});

test.each(["sarif", "github"])("--format %s says on standard error how many", async (format) => {
  const { code, stdout, stderr } = await check(at("unknown.yaml"), "--format", format);
  expect(code).toBe(4);
  expect(stdout).toContain("LW-PLUGIN-UNKNOWN");
  expect(stdout).not.toContain("2 errors");
  expect(stderr).toContain("2 errors, 0 warnings");
});

test("a format that is none is refused with the nearest one", async () => {
  const { code, stderr } = await check(at("answer.yaml"), "--format", "jsn");
  expect(code).toBe(64);
  expect(stderr).toBe("loopwright: there is no --format jsn; did you mean json?\n");
});

test("a warning passes, and fails with --strict", async () => {
  const passed = await check(at("warned.yaml"));
  expect(passed.code).toBe(0);
  expect(passed.stdout).toContain("LW-STAGE-NO-TOOLS warning:");
  const strict = await check(at("warned.yaml"), "--strict");
  expect(strict.code).toBe(4);
  expect(strict.stdout).toContain("0 errors, 1 warning, and --strict counts it; at most");
  expect((await check(at("answer.yaml"), "--strict")).code).toBe(0);
});

test.each(["LW-STAGE-MISPLACED-OPTION", "lw-stage-misplaced-option", "stage_misplaced_option"])(
  "--explain %s tells why, with a wrong example and a right one",
  async (said) => {
    const { code, stdout } = await check("--explain", said);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^LW-STAGE-MISPLACED-OPTION: An option stands beside a stage/u);
    expect(stdout).toMatch(/\nwrong\n(?: {2}.*\n)+\nright\n(?: {2}.*\n)+$/u);
    expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
  },
);

test("--explain of an unknown code names the nearest one", async () => {
  const { code, stdout, stderr } = await check("--explain", "LW-YAML-TABB");
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toBe("loopwright: there is no code LW-YAML-TABB; did you mean LW-YAML-TAB?\n");
});

test("--explain takes no spec", async () => {
  expect((await check("--explain", "LW-YAML-TAB", at("answer.yaml"))).code).toBe(64);
});

test("--launch tells six checks with their places, and fails where one does", async () => {
  const { code, stdout } = await check(at("keyless.yaml"), "--launch");
  expect(code).toBe(4);
  const lines = stdout.split("\n").filter((line) => /^ {2}(?:pass|fail) /u.test(line));
  expect(lines).toHaveLength(6);
  expect(stdout).toMatch(/ {2}fail {2}\S*keyless\.yaml:\d+:\d+ {2}loops bounded: no limit/u);
  expect(stdout).toMatch(/ {2}fail {2}\S*keyless\.yaml:5:\d+ {2}memory .*`lessons`.*`ttl`/u);
  expect(stdout).toMatch(/ {2}pass {2}\S*keyless\.yaml:\S+ {2}permissions graded/u);
});

test("--launch passes an agent that is ready", async () => {
  const { code, stdout } = await check(at("ready.yaml"), "--launch");
  expect(stdout).toContain("ready.yaml: ready to launch, 6 of 6\n");
  expect(code).toBe(0);
});

test("--launch of a spec with errors looks no further", async () => {
  const { code, stdout } = await check(at("unknown.yaml"), "--launch");
  expect(code).toBe(4);
  expect(stdout).toContain("not ready to launch: mend the errors first");
});

test("a fragment passes, says that it can't run, and is not ready to launch", async () => {
  writeFileSync(at("fragment.yaml"), HEAD);
  const { code, stdout } = await check(at("fragment.yaml"));
  expect(code).toBe(0);
  expect(stdout).toContain("a fragment: other specs extend it, it can't run");
  const launched = await check(at("fragment.yaml"), "--launch");
  expect(launched.code).toBe(4);
  expect(launched.stdout).toContain("not ready to launch: a fragment can't run");
});

test("--launch and a format for machines exclude each other", async () => {
  expect((await check(at("answer.yaml"), "--launch", "--format", "json")).code).toBe(64);
});
