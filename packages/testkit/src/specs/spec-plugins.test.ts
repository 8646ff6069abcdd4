import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type App, createApp } from "@loopwright/core";
import { scriptedProvider } from "@loopwright/providers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtIn, packageOf, specOf } from "../promises/run-scripted.ts";
import { type TempProject, tempProject } from "../promises/temp-project.ts";

const TOOL = `
globalThis.acmeImported = (globalThis.acmeImported ?? 0) + 1;
import { defineTool, Type } from "@loopwright/core/plugin";
export const search = defineTool({
  id: "acme/search", description: "Searches.", options: Type.Object({}),
  input: Type.Object({ item: Type.String() }), effect: "read", create: () => ({ item }) => "found " + item,
});
`;
const PROVIDES = [{ kind: "tool", id: "acme/search", export: "./tools#search" }];
const imported = (): number => (globalThis as { acmeImported?: number }).acmeImported ?? 0;

let project: TempProject;
let app: App;
beforeEach(async () => {
  project = await tempProject();
  // What is no direct dependency is not found by discovery.
  app = await createApp({
    plugins: [...builtIn, packageOf([scriptedProvider("stub", ["one", "two"])])],
    root: project.root,
    discovery: false,
    env: {},
  });
});
afterEach(async () => {
  await app.close();
  await project.remove();
});

async function addPackage(version: string, manifest: object = {}): Promise<void> {
  const loopwright = { apiVersion: "plugin/1", provides: PROVIDES };
  await project.add(
    "@acme/loopwright-search",
    { version, exports: { "./tools": "./tools.js" }, loopwright, ...manifest },
    { "tools.js": TOOL },
  );
}

async function codesOf(body: string): Promise<readonly string[]> {
  const file = join(project.root, "spec.yaml");
  await writeFile(file, specOf(body));
  const { diagnostics } = await app.check({ file });
  return diagnostics.map(({ code, suggestion }) => `${code}: ${suggestion ?? ""}`);
}

const naming = 'plugins: ["@acme/loopwright-search@^1.2.0"]\n';

describe("a package that a spec names", () => {
  it("brings its plugins to this spec, and to no other", async () => {
    await addPackage("1.4.0");
    const file = join(project.root, "spec.yaml");
    await writeFile(file, specOf(`${naming}tools: [search]\nstrategy: react\n`));
    const program = await app.compile({ file });
    expect(program.program.tools.get("search")?.definition.id).toBe("acme/search");
    expect((await app.start(program).outcome).outcome).toBe("done");
    expect(await codesOf("tools: [acme/search]\nstrategy: react\n")).toEqual([
      "LW-PLUGIN-UNKNOWN: install the package that brings `acme/search`; `loopwright plugins` lists what is installed, docs/spec.md#plugin-packages says how packages are named",
    ]);
  });

  it("runs no code that the spec does not name", async () => {
    await addPackage("1.4.0");
    const before = imported();
    expect(await codesOf(`${naming}strategy: direct\n`)).toEqual([]);
    expect(imported()).toBe(before);
  });

  it("must be installed, in a version that fits", async () => {
    const install = "LW-PLUGIN-VERSION: `npm i @acme/loopwright-search@^1.2.0` installs it";
    expect(await codesOf(`${naming}strategy: direct\n`)).toEqual([install]);
    await addPackage("2.0.0");
    expect(await codesOf(`${naming}strategy: direct\n`)).toEqual([install]);
  });

  it("must be a plugin package", async () => {
    await addPackage("1.4.0", { keywords: [] });
    expect(await codesOf(`${naming}strategy: direct\n`)).toEqual([
      "LW-PLUGIN-KIND: delete `@acme/loopwright-search`",
    ]);
  });

  it("must have a sound manifest", async () => {
    await addPackage("1.4.0", { loopwright: { apiVersion: "plugin/9" } });
    expect(await codesOf(`${naming}strategy: direct\n`)).toEqual([
      "LW-PLUGIN-BROKEN: tell the author of the package",
    ]);
  });
});
