import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { spawnCommand } from "./spawn-command.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const files: Readonly<Record<string, string>> = {
  "base.yaml": `apiVersion: loopwright/v1
name: base
task: Say where it is.
model: { use: scripted/x, file: replies.yaml }
tools: { calculator: { approval: always } }
`,
  "desk.yaml": `apiVersion: loopwright/v1
name: desk
extends: base.yaml
strategy: [direct, { direct: { id: second } }]
overlays:
  short: { stages-: [second] }
  loose: { tools: { calculator: { approval: never } } }
`,
  "spoilt.yaml": `apiVersion: loopwright/v1
name: spoilt
extends: base.yaml
strategy: direct
overlays: { prod: { stages-: [other] } }
`,
  "replies.yaml": `replies:
  - { stage: direct, text: first }
  - { stage: second, text: second }
`,
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
const loopwright = (...args: string[]) => spawnCommand(args, { cwd });

test("run applies an overlay, and says nothing of the others", async () => {
  const plain = await loopwright("run", "desk.yaml");
  expect(plain).toMatchObject({ code: 0, stdout: "second\n" });
  expect(plain.stderr).not.toContain("LW-TOOL-LOOSENED-APPROVAL");
  expect(await loopwright("run", "desk.yaml", "--overlay", "short")).toMatchObject({
    code: 0,
    stdout: "first\n",
  });
});

test("check looks at every overlay, and tells what one loosens with its place", async () => {
  const { code, stdout } = await loopwright("check", "desk.yaml");
  expect(code).toBe(0);
  expect(stdout).toContain("desk.yaml:7:45 LW-TOOL-LOOSENED-APPROVAL warning: overlay `loose`");
  expect(stdout).toContain("(was always, base.yaml:5)");
  expect(stdout).toContain("note: with overlay `loose`");
});

test("an overlay with a fault stops check and run alike, selected or not", async () => {
  for (const command of ["check", "run", "explain"]) {
    const { code, stdout, stderr } = await loopwright(command, "spoilt.yaml");
    expect({ command, code }).toEqual({ command, code: 4 });
    expect(stdout + stderr).toContain("spoilt.yaml:5:31 LW-STAGE-UNKNOWN-ID");
  }
});

test("check passes a fragment, run refuses it", async () => {
  const checked = await loopwright("check", "base.yaml");
  expect(checked.code).toBe(0);
  expect(checked.stdout).toContain("LW-SPEC-FRAGMENT");
  const run = await loopwright("run", "base.yaml");
  expect(run.code).toBe(4);
  expect(run.stderr).toContain("LW-SPEC-FRAGMENT");
});

test("diff and explain compare a spec with its overlay", async () => {
  const { code, stdout } = await loopwright("diff", "desk.yaml", "--overlay", "short");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^stage second removed \(was direct in strategy\)\nworst case /u);
  const explained = await loopwright("explain", "desk.yaml", "tools.calculator.approval");
  expect(explained).toMatchObject({
    code: 0,
    stdout:
      "tools.calculator.approval = always\n  at base.yaml:5:34\n  was never, the default of the effect `read`\n",
  });
});
