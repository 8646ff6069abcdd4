import {
  type App,
  type CompiledProgram,
  createApp,
  provide,
  type RunOutcome,
} from "@loopwright/core";
import { defineToken } from "@loopwright/core/plugin";
import { scriptedProvider, type ScriptedReply } from "@loopwright/providers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtIn, calling, packageOf, specOf } from "./run-scripted.ts";
import { type TempProject, tempProject } from "./temp-project.ts";

const TOOL = `
import { defineTool, defineToken, Type } from "@loopwright/core/plugin";
const Pool = defineToken("acme/pool");
export const search = defineTool({
  id: "acme/search", description: "Searches.", options: Type.Object({ prefix: Type.String({ default: "found" }) }),
  input: Type.Object({ item: Type.String() }), effect: "read", inject: { pool: Pool },
  create: ({ prefix }, { pool }) => ({ item }) => prefix + " " + pool.find(item),
});
`;
const SERVICES = `
import { defineService, defineToken } from "@loopwright/core/plugin";
export const log = (globalThis.acmeLog ??= []);
const Pool = defineToken("acme/pool");
const Config = defineToken("acme/config");
export const config = defineService({ token: Config, create: async () => { log.push("make config"); return { name: "pool" }; }, dispose: () => { log.push("drop config"); } });
export const pool = defineService({
  token: Pool, inject: { config: Config },
  create: ({ config }) => { log.push("make " + config.name); return { find: (item) => item + " in the " + config.name }; },
  dispose: async () => { log.push("drop pool"); },
});
`;
const STRATEGY = `
import { defineStrategy, generations, Type } from "@loopwright/core/plugin";
export const twice = defineStrategy({
  id: "acme/twice", description: "Asks twice.", options: Type.Object({}), flow: { sets: ["answer"] },
  bounds: () => generations(2),
  async run(_state, context) {
    await context.generate({ prompt: "first" });
    const reply = await context.generate({ prompt: "second", answer: true });
    return { answer: reply.answer };
  },
});
`;
const PROVIDES = [
  { kind: "tool", id: "acme/search", export: "./tools#search" },
  { kind: "strategy", id: "acme/twice", export: "./strategies#twice" },
  { kind: "service", id: "acme/pool", export: "./services#pool" },
  { kind: "service", id: "acme/config", export: "./services#config" },
];
const EXPORTS = {
  "./tools": "./tools.js",
  "./services": "./services.js",
  "./strategies": "./strategies.js",
};
const FILES = { "tools.js": TOOL, "services.js": SERVICES, "strategies.js": STRATEGY };

function manifestOf(provides: readonly object[], exports: object = EXPORTS): object {
  return { exports, loopwright: { apiVersion: "plugin/1", provides } };
}

const ACTING = specOf("tools: [acme/search]\nstrategy: [react, acme/twice]\n");
const REPLIES = [
  calling("acme_search", "nut"),
  { text: "one" },
  { text: "two" },
  { text: "three" },
];

let project: TempProject;
let app: App | undefined;
const log = ((globalThis as { acmeLog?: string[] }).acmeLog ??= []);

beforeEach(async () => {
  project = await tempProject();
  log.length = 0;
});

afterEach(async () => {
  await app?.close();
  app = undefined;
  await project.remove();
});

async function appWith(options: Parameters<typeof createApp>[0] = {}): Promise<App> {
  const replies: readonly ScriptedReply[] = REPLIES;
  const model = packageOf([scriptedProvider("stub", replies)]);
  app = await createApp({ plugins: [...builtIn, model], root: project.root, env: {}, ...options });
  return app;
}

async function run(from: App, spec = ACTING): Promise<RunOutcome> {
  const program: CompiledProgram = await from.compile({ text: spec });
  return await from.start(program).outcome;
}

describe("promise 12: a stranger's package works through the public doors alone", () => {
  it("is discovered, listed, loaded when named, and used", async () => {
    await project.add("acme-search", manifestOf(PROVIDES), FILES);
    const from = await appWith();
    expect(from.plugins().plugins).toContainEqual(
      expect.objectContaining({ kind: "tool", id: "acme/search", package: "acme-search" }),
    );
    const outcome = await run(from);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "three", by: "twice" } });
    expect(outcome.state.observations).toMatchObject([
      { tool: "acme/search", content: "found nut in the pool", ok: true },
    ]);
  });

  it("is found under its short ids where they are unique", async () => {
    await project.add("acme-search", manifestOf(PROVIDES), FILES);
    const spec = ACTING.replaceAll("acme/", "");
    expect(await run(await appWith(), spec)).toMatchObject({ outcome: "done" });
  });

  it("is not looked for where the host says so", async () => {
    await project.add("acme-search", manifestOf(PROVIDES), FILES);
    await expect(run(await appWith({ discovery: false }))).rejects.toThrow(/acme\/search/);
  });

  it("makes services on first use, once, and disposes them in reverse order", async () => {
    await project.add("acme-search", manifestOf(PROVIDES), FILES);
    const from = await appWith();
    expect(log).toEqual([]);
    await Promise.all([run(from), run(from), run(from)]);
    expect(log).toEqual(["make config", "make pool"]);
    await from.close();
    expect(log).toEqual(["make config", "make pool", "drop pool", "drop config"]);
  });

  it("takes a service that the host brings in place of the package's", async () => {
    await project.add("acme-search", manifestOf(PROVIDES), FILES);
    const pool = provide(defineToken<{ find: (item: string) => string }>("acme/pool"), {
      find: (item) => `${item} at the host`,
    });
    const outcome = await run(await appWith({ services: [pool] }));
    expect(outcome.state.observations).toMatchObject([{ content: "found nut at the host" }]);
    expect(log).toEqual([]);
  });

  it("fails only the specs that use it when it is broken, and is named", async () => {
    await project.add("acme-old", { loopwright: { apiVersion: "plugin/0", provides: [] } }, {});
    await project.add(
      "acme-bad",
      manifestOf(
        [
          { kind: "tool", id: "bad/throws", export: "./throws#tool" },
          { kind: "tool", id: "bad/missing", export: "./missing#tool" },
          { kind: "tool", id: "bad/nothing", export: "./nothing#tool" },
          { kind: "tool", id: "bad/other", export: "./other#tool" },
        ],
        {
          "./throws": "./throws.js",
          "./missing": "./missing.js",
          "./nothing": "./nothing.js",
          "./other": "./other.js",
        },
      ),
      {
        "throws.js": 'throw new Error("broken at load");',
        "nothing.js": "export const other = 1;",
        "other.js": 'export const tool = { kind: "sink", id: "bad/other" };',
      },
    );
    await project.add("acme-search", manifestOf(PROVIDES), FILES);
    const from = await appWith();
    expect(from.plugins().broken.get("acme-old")).toMatch(/plugin\/0/);
    expect(await run(from)).toMatchObject({ outcome: "done" });
    for (const id of ["throws", "missing", "nothing", "other"]) {
      const spec = specOf(`tools: [bad/${id}]\nstrategy: react\n`);
      await expect(run(from, spec)).rejects.toThrow(/acme-bad/);
    }
  });

  it("collides with another package's plugin aloud: both are named", async () => {
    await project.add("acme-search", manifestOf(PROVIDES), FILES);
    await project.add(
      "other-search",
      manifestOf([{ kind: "tool", id: "other/search", export: "./tools#search" }]),
      FILES,
    );
    const spec = specOf("tools: [search]\nstrategy: react\n");
    const failure = await run(await appWith(), spec).catch(String);
    expect(failure).toMatch(/acme\/search/);
    expect(failure).toMatch(/other\/search/);
  });

  it("tells all services that are missing and every cycle in one message, each time", async () => {
    const services = `
import { defineService, defineToken } from "@loopwright/core/plugin";
const [A, B, C] = ["acme/a", "acme/b", "acme/c"].map((id) => defineToken(id));
export const a = defineService({ token: A, inject: { b: B }, create: () => ({}) });
export const b = defineService({ token: B, inject: { a: A }, create: () => ({}) });
export const pool = defineService({ token: defineToken("acme/pool"), inject: { a: A, c: C }, create: () => ({}) });
`;
    await project.add(
      "acme-search",
      manifestOf([
        ...PROVIDES.slice(0, 3),
        { kind: "service", id: "acme/a", export: "./services#a" },
        { kind: "service", id: "acme/b", export: "./services#b" },
      ]),
      { ...FILES, "services.js": services },
    );
    const from = await appWith();
    for (let times = 0; times < 2; times += 1) {
      const failure = await run(from).catch(String);
      expect(failure).toMatch(/acme\/a → acme\/b → acme\/a/);
      expect(failure).toMatch(/`acme\/c`, asked for by tool `acme\/search` → acme\/pool/);
    }
  });

  it("tells which service could not be made", async () => {
    const broken = SERVICES.replace(
      'log.push("make " + config.name);',
      'throw new Error("no database");',
    );
    await project.add("acme-search", manifestOf(PROVIDES), { ...FILES, "services.js": broken });
    const from = await appWith();
    await expect(run(from)).rejects.toMatchObject({ code: "plugin-create-failed" });
    await expect(run(from)).rejects.toThrow(/acme\/pool.*no database/s);
  });
});
