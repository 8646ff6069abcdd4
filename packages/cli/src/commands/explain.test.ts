import { rmSync, writeFileSync } from "node:fs";
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
  expect(stdout).toMatch(/^ {2}default: scripted\/example$/mu);
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
