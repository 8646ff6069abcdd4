import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exampleProject } from "../test/example-specs.ts";
import { compileProgram } from "./compile-program.ts";
import { HeldTerminal } from "./held-terminal.ts";
import { openApp } from "./open-app.ts";
import { unsaidConsole } from "./unsaid-console.ts";

const folder = exampleProject();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a terminal shows a run whose spec says nothing of sinks; a pipe, and a spec that does, decide themselves", {
  timeout: 60_000,
}, async () => {
  writeFileSync(join(folder, "bare-replies.yaml"), "replies: [four]\n");
  const opened = await openApp({ root: folder, discovery: false });
  const teller = async (more: string, isTerminal: boolean) => {
    const spec = join(folder, "bare.yaml");
    const model = "model: { use: scripted/bare, file: bare-replies.yaml }";
    writeFileSync(
      spec,
      `apiVersion: loopwright/v1\nname: bare\ntask: How many?\n${model}\nstrategy: [direct]\n${more}`,
    );
    const { program } = await compileProgram(opened, spec, {});
    const terminal = new HeldTerminal({ write: () => true }, {});
    const given = { spec, settings: {}, program, terminal, level: undefined, isTerminal };
    return unsaidConsole(opened, given);
  };
  try {
    expect(await teller("", true)).toBeDefined();
    expect(await teller("", false)).toBeUndefined();
    expect(await teller("sinks: []\n", true)).toBeUndefined();
    expect(await teller("sinks: [console]\n", true)).toBeUndefined();
  } finally {
    await opened.app.close();
  }
});
