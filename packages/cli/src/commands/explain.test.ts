import { rmSync } from "node:fs";
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
