import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { exampleFolder } from "../../test/example-specs.ts";
import { runInProcess } from "../../test/run-in-process.ts";

const folder = exampleFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const explain = (...argv: readonly string[]) =>
  runInProcess("explain", join(folder, "limited.yaml"), ...argv);

test("shows the stages as a tree, and the worst case", async () => {
  const { code, stdout, stderr } = await explain();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^stage +model calls +tool calls\nendless \(react\) +1 to 18 +0 to 24$/mu);
  expect(stdout).toMatch(/^In all: 1 to 9 generations, .* 0 to 24 tool calls\.$/mu);
  expect(stdout).toMatch(/^ {2}default: scripted\/example: timeout 10m/mu);
  expect(stdout).toMatch(/^ {2}modelCalls 3 \(worst case \d+: it may end limited\)$/mu);
});

test("--spec prints the canonical spec, defaults and settings filled in, which explains to the same", async () => {
  const { code, stdout } = await explain("--spec", "--set", "stages.endless.maxSteps=4");
  expect(code).toBe(0);
  const canonical = parse(stdout);
  expect(canonical).toMatchObject({ name: "example", limits: { modelCalls: 3 } });
  expect(JSON.stringify(canonical.strategy)).toContain('"maxSteps":4');
  const asJson = await explain("--spec", "--json", "--set", "stages.endless.maxSteps=4");
  expect(JSON.parse(asJson.stdout)).toEqual(canonical);
});

test("--json prints the tree with its bounds; a spec with errors is told: 4", async () => {
  expect(JSON.parse((await explain("--json")).stdout)).toMatchObject({ name: "example" });
  const broken = await runInProcess("explain", join(folder, "broken.yaml"));
  expect(broken.code).toBe(4);
  expect(broken.stderr).toContain("LW-YAML-NULL");
});

const layered = join(folder, "layered.yaml");
writeFileSync(
  layered,
  `apiVersion: loopwright/v1
name: layered
task: Add.
model: { use: deepseek/deepseek-v4-flash, maxTokens: 500, price: { input: 1, output: 2 } }
tools: { calculator: { approval: always, timeout: 5s, retry: 3 } }
strategy: { react: { maxSteps: 6, when: 'task.text != "<b>"' } }
overlays: { prod: { stages: { react: { maxSteps: 4 } } } }
`,
);
const layers = (...argv: readonly string[]) => runInProcess("explain", layered, ...argv);

test("shows every policy of a tool, and what a run can cost at most", async () => {
  const { stdout } = await layers();
  expect(stdout).toMatch(/^ {2}calculator: read, approval always, timeout 5s, retry 3 after /mu);
  expect(stdout).toMatch(
    /^Price ceiling\n {2}0\.01 dollars \(replies alone; what is sent has no/mu,
  );
});

test("--overlay shows the difference that it makes", async () => {
  const { code, stdout } = await layers("--overlay", "prod");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^layered with overlay prod$/mu);
  expect(stdout).toMatch(
    /^What overlay `prod` changes\n {2}react\.maxSteps 6 → 4\n {2}worst case /mu,
  );
  const asJson = JSON.parse((await layers("--overlay", "prod", "--json")).stdout);
  expect(asJson).toMatchObject({
    overlays: ["prod"],
    difference: [{ path: "react.maxSteps", text: "6 → 4" }, {}, {}, {}],
  });
});

test("with a path, prints the value, who says it and what it replaced", async () => {
  const set = ["--overlay", "prod", "--set", "stages.react.maxSteps=5"];
  const { code, stdout } = await layers("stages.react.maxSteps", ...set);
  expect(code).toBe(0);
  const places = stdout
    .replaceAll(/\S*layered\.yaml/gu, "layered.yaml")
    .trimEnd()
    .split("\n");
  expect(places).toEqual([
    "stages.react.maxSteps = 5",
    "  from --set",
    "  was 4, from overlay `prod`, at layered.yaml:7:50",
    "  was 6, at layered.yaml:6:32",
    "  was 8, the default of `react`",
  ]);
  const asJson = JSON.parse((await layers("limits", "--json", "--set", "limits.usd=1")).stdout);
  expect(asJson).toMatchObject({ path: "limits", parts: [], value: { usd: "1" } });
  expect(await layers("stages.reac.maxSteps")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("no stage is called `reac`; did you mean `react`?"),
  });
});

test("--mermaid draws the stages; forms that exclude each other are refused", async () => {
  const { code, stdout } = await layers("--mermaid");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^flowchart TD\n/u);
  expect(stdout).toContain('start -->|"when task.text != #quot;#lt;b#gt;#quot;"| s0');
  expect((await layers("--mermaid", "--spec")).code).toBe(64);
  expect((await layers("limits", "--mermaid")).code).toBe(64);
});

test("with a path, tells a value of a spec with errors too, and how many there are: 4", async () => {
  const file = join(folder, "faulty.yaml");
  const text = readFileSync(layered, "utf8").replace("maxSteps: 6", "maxSteps: 6, maxStep: 7");
  writeFileSync(file, text.replace("task: Add.", "taks: Add.\nlimits: { time: 5 }"));
  const { code, stdout, stderr } = await runInProcess("explain", file, "limits.time");
  expect(code).toBe(4);
  expect(stdout).toMatch(/^limits\.time = 5\n {2}at \S*faulty\.yaml:4:17\n$/u);
  expect(stderr).toMatch(
    /^loopwright: \S+faulty\.yaml has 3 errors; `loopwright check \S+` says them\n$/u,
  );
  const asJson = await runInProcess("explain", file, "stages.react.maxSteps", "--json");
  expect(JSON.parse(asJson.stdout)).toMatchObject({ value: 6, origin: "file", at: { line: 7 } });
  expect(asJson.code).toBe(4);
  const missing = await runInProcess("explain", file, "limits.tme");
  expect(missing).toMatchObject({ code: 4, stdout: "" });
  expect(missing.stderr).toContain("there is no `tme` in `limits`; did you mean `time`?");
  expect(missing.stderr).toMatch(
    /\n\S+faulty\.yaml has 3 errors; `loopwright check \S+` says them\n$/u,
  );
});

test("with a path, hides a secret of a spec with errors, and tells a spec that can't be read", async () => {
  const file = join(folder, "secret.yaml");
  const model = "{ use: openai/x, apiKey: sk-hidden, price: { input: 1, output: 1 } }";
  writeFileSync(
    file,
    `apiVersion: loopwright/v1\nname: secret\nmodel: ${model}\nstrategy: direkt\n`,
  );
  const { code, stdout } = await runInProcess("explain", file, "model");
  expect({ code, isHidden: !stdout.includes("sk-hidden") }).toEqual({ code: 4, isHidden: true });
  expect(stdout).toContain("[secret]");
  const broken = await runInProcess("explain", join(folder, "broken.yaml"), "limits");
  expect(broken).toMatchObject({ code: 4, stdout: "" });
  expect(broken.stderr).toMatch(/broken\.yaml has \d+ errors?; `loopwright check /u);
});

test("with a path, tells that a value can't be read, and where it stands: 4", async () => {
  const file = join(folder, "open-quote.yaml");
  const head = "apiVersion: loopwright/v1\nname: x\nmodel: openai/x\nstrategy: direct\n";
  writeFileSync(file, `${head}description: "An open quote.\ninstructions: "\${env:LW_NOBODY}"\n`);
  const lost = await runInProcess("explain", file, "description");
  expect(lost.stdout).toMatch(/^description can't be read\n {2}at \S*open-quote\.yaml:5:\d+\n$/u);
  expect(lost.code).toBe(4);
  writeFileSync(file, `${head}description: "\${env:LW_NOBODY}"\n`);
  const unset = await runInProcess("explain", file, "description");
  expect(unset.stdout).toMatch(
    /^description can't be read: "\$\{env:LW_NOBODY\}"\n {2}from the variable LW_NOBODY, at /u,
  );
});

test("with a path, tells a value of a fragment: 0", async () => {
  const file = join(folder, "fragment.yaml");
  writeFileSync(file, "apiVersion: loopwright/v1\nname: part\nlimits: { time: 5s }\n");
  const { code, stdout, stderr } = await runInProcess("explain", file, "limits.time");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("limits.time = 5s");
});
