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

test("compares a spec under two overlays, each side with its own", async () => {
  const { code, stdout, stderr } = await diff(`${first}@same`, `${first}@prod`);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout).toContain("limits.usd 0.5 → 0.2\n");
  expect(stdout).toContain("react.maxSteps 6 → 4\n");
  const back = await diff(`${first}@prod`, other);
  expect(back.stdout).toContain("react.maxSteps 4 → 7\n");
  expect(await diff(`${first}@prod@same`, `${first}@prod`)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("limits.usd 0.5 → 0.2\n"),
  });
  const named = await diff(`${first}@prod`);
  expect(named.stdout).toBe((await diff(first, "--overlay", "prod")).stdout);
});

test("lays --overlay below the overlays of a side", async () => {
  const both = await diff(first, `${first}@same`, "--overlay", "prod");
  expect(both.stdout.split("\n")[0]).toBe("limits.usd 0.2 → 0.5");
});

test("takes a file whose name holds an @ as it is", async () => {
  const odd = file("odd@prod", spec);
  expect(await diff(odd, first)).toMatchObject({ code: 0 });
});

test("refuses an overlay after @ that the spec does not have", async () => {
  expect(await diff(`${first}@prd`, first)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("did you mean `prod`?"),
  });
});

test("tells paths from the project root", async () => {
  const scripted = (name: string): string => {
    file(`${name}-replies.yaml`, `replies: [{ text: ${name} }]\n`);
    const model = `{ use: scripted/x, file: ./${name}-replies.yaml }`;
    return file(`${name}.yaml`, spec.replace(/^model: .*$/mu, `model: ${model}`));
  };
  const { stdout } = await diff(scripted("one"), scripted("two"));
  expect(stdout).toBe("models.default.file one-replies.yaml → two-replies.yaml\n");
});

test("tells what differs in an agent that both call", async () => {
  const calling = (name: string, inner: string): string => {
    const text = spec.replace(/^strategy: .*$/mu, `strategy: { agent: { spec: ./${inner} } }`);
    return file(name, text.replace(/^ {2}prod: .*$/mu, "  prod: { limits: { usd: 0.2 } }"));
  };
  file("inner-a.yaml", spec);
  file("inner-b.yaml", spec.replace("maxSteps: 6", "maxSteps: 7"));
  const { stdout } = await diff(
    calling("outer-a.yaml", "inner-a.yaml"),
    calling("outer-b.yaml", "inner-b.yaml"),
  );
  expect(stdout).toContain("agent.spec inner-a.yaml → inner-b.yaml\n");
  expect(stdout).toContain("agents.agent: react.maxSteps 6 → 7\n");
  expect(stdout).not.toMatch(/[0-9a-f]{64}/u);
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
