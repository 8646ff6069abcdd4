import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runInProcess } from "../../test/run-in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "loopwright-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const spec = `apiVersion: loopwright/v1
name: adder
task: Add.
model: { use: deepseek/deepseek-v4-flash, price: { input: 1, output: 2 } }
tools: [calculator]
strategy: { react: { maxSteps: 6 } }
limits: { usd: 0.5 }
overlays:
  prod: { limits: { usd: 0.2 }, stages: { react: { maxSteps: 4 } } }
  same: { limits: { usd: 0.5 } }
`;

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const first = file("a.yaml", spec);
const commented = file("b.yaml", `# a comment\n${spec}`);
const other = file("c.yaml", spec.replace("maxSteps: 6", "maxSteps: 7"));
const diff = (...argv: readonly string[]) => runInProcess("diff", ...argv);

test("tells each difference in a line: 1", async () => {
  const { code, stdout, stderr } = await diff(first, other);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout.trimEnd().split("\n")).toEqual([
    "react.maxSteps 6 → 7",
    "worst case 13 → 15 requests",
    "worst case 15 → 18 tool calls",
  ]);
});

test("tells that nothing differs in what runs: 0", async () => {
  expect(await diff(first, commented)).toMatchObject({
    code: 0,
    stdout: "no difference in what runs\n",
  });
  expect(await diff(first, "--overlay", "same")).toMatchObject({ code: 0 });
});

test("compares a spec with its overlay, or lays it over both sides", async () => {
  const alone = await diff(first, "--overlay", "prod");
  expect(alone.code).toBe(1);
  expect(alone.stdout).toContain("react.maxSteps 6 → 4\n");
  expect(alone.stdout).toContain("limits.usd 0.5 → 0.2\n");
  expect(alone.stdout).toContain("price ceiling 0.5 dollars → 0.2 dollars\n");
  expect(await diff(first, other, "--overlay", "prod")).toMatchObject({ code: 0 });
});

test("--json prints what differs as data", async () => {
  const { code, stdout } = await diff(first, other, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    isEqual: false,
    difference: [{ path: "react.maxSteps", text: "6 → 7" }, {}, {}],
  });
  expect(JSON.parse((await diff(first, commented, "--json")).stdout)).toEqual({
    isEqual: true,
    difference: [],
  });
});

test("refuses one spec without an overlay, and an overlay that a spec does not have", async () => {
  expect(await diff(first)).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("diff needs a second spec"),
  });
  expect(await diff(first, "--overlay", "prd")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("did you mean `prod`?"),
  });
});
