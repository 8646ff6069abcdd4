import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp, type SpecError } from "@loopwright/core";
import {
  defineProvider,
  defineService,
  defineToken,
  defineTool,
  secret,
  Type,
} from "@loopwright/core/plugin";
import { scriptedProvider } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { builtIn, packageOf, runScripted, specOf } from "../promises/run-scripted.ts";

async function faultOf(running: Promise<unknown>): Promise<SpecError> {
  return (await running.catch((thrown: unknown) => thrown)) as SpecError;
}

describe("a part of the language that can't run yet", () => {
  it("is refused before the first event, with its place", async () => {
    const body = "strategy:\n  - direct\n  - verify: { method: cove-factored, maxQuestions: 2 }\n";
    const fault = await faultOf(runScripted(body, ["4"]));
    expect(fault).toMatchObject({ code: "not-yet", family: "SpecError" });
    expect(fault.message).toMatch(/spec\.yaml:7:\d+ {2}.*cove-factored/);
    expect(fault.details["notYet"]).toMatchObject([{ line: 7 }]);
  });

  it("is refused for a pick that does not exist yet", async () => {
    const body = "strategy: { self-consistency: { pick: centroid, do: direct } }\n";
    expect(await faultOf(runScripted(body, ["4"]))).toMatchObject({ code: "not-yet" });
  });
});

const guarded = defineProvider({
  id: "guarded",
  description: "A provider whose key the spec names.",
  options: Type.Object({ apiKey: secret({ description: "The key." }) }),
  create: () => {
    throw new Error("it is never made");
  },
});

const Ledger = defineToken<{ sum(): number }>("test/ledger");
const accounting = defineTool({
  id: "accounting",
  description: "A tool that needs a service.",
  options: Type.Object({}),
  input: Type.Object({}),
  effect: "read",
  inject: { ledger: Ledger },
  create:
    (_options, { ledger }) =>
    () =>
      ledger.sum(),
});

describe("an app", () => {
  it("names the place of a secret that is not set", async () => {
    const body = "model: { use: guarded/x, apiKey: '${secret:GUARDED_KEY}' }\nstrategy: direct\n";
    const fault = await faultOf(runScripted(body, [], { plugins: [guarded] }));
    expect(fault).toMatchObject({ code: "secret-missing" });
    expect(fault.message).toMatch(/^spec\.yaml:4: .*GUARDED_KEY/);
  });

  it("says in a check what service a plugin lacks, at the plugin's place, as a compilation does", async () => {
    const plugins = [...builtIn, packageOf([scriptedProvider("stub", []), accounting])];
    const app = await createApp({ plugins, discovery: false, env: {} });
    const text = specOf("tools:\n  - accounting\nstrategy: react\n");
    const { program, diagnostics } = await app.check({ text });
    expect(program).toBeUndefined();
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "LW-PLUGIN-SERVICES", line: 6, column: 5 },
    ]);
    const fault = await faultOf(app.compile({ text }));
    expect(fault).toMatchObject({ code: "plugin-services-missing" });
    await app.close();
    const service = defineService({
      token: Ledger,
      create: () => ({ sum: () => 4 }),
    });
    const whole = await createApp({
      plugins: [...plugins, packageOf([service], "ledger")],
      discovery: false,
      env: {},
    });
    expect((await whole.check({ text })).program).toBeDefined();
    await whole.close();
  });

  it("says in a check what an overlay lacks, and compiles no such spec", async () => {
    const plugins = [...builtIn, packageOf([scriptedProvider("stub", []), accounting])];
    const app = await createApp({ plugins, discovery: false, env: {} });
    const text = specOf("strategy: direct\noverlays: { books: { tools: [accounting] } }\n");
    expect((await app.check({ text })).program).toBeUndefined();
    expect(await faultOf(app.compile({ text }))).toMatchObject({ code: "spec-invalid" });
    await app.close();
  });

  it("loads every plugin that is installed", async () => {
    const app = await createApp({ plugins: builtIn, discovery: false, env: {} });
    const ids = (await app.definitions()).map(({ kind, id }) => `${kind} ${id}`);
    expect(ids).toHaveLength(app.plugins().plugins.length);
    expect(ids).toContain("strategy for-each");
    await app.close();
  });

  it("shows tools the workspace as their project", async () => {
    const root = await mkdtemp(join(tmpdir(), "loopwright-workspace-"));
    await writeFile(join(root, "note.txt"), "four");
    const text = `workspace: .\ntools: [read-file]\nstrategy: react\n`;
    const { outcome } = await runScripted(
      text,
      ({ messages }) =>
        messages.at(-1)?.role === "user"
          ? { calls: [{ name: "read-file", arguments: { path: "note.txt" } }] }
          : "read",
      { root },
    );
    expect(outcome.state.observations).toMatchObject([{ ok: true }]);
    await rm(root, { recursive: true });
  });
});
