import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { generations } from "../contracts/bounds.ts";
import { defineProvider } from "../contracts/provider.ts";
import { Type } from "../contracts/schema.ts";
import { defineStrategy } from "../contracts/strategy.ts";
import { type App, createApp } from "./create-app.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-services-")));
afterAll(() => {
  Reflect.deleteProperty(globalThis, "loopwrightSeen");
  rmSync(root, { recursive: true });
});

const token = (id: string): string =>
  `{ id: "${id}", symbol: Symbol.for("loopwright:service:${id}"), purity: "effect" }`;

/** A package with a sink that asks for a pool, and with the pool itself where `isWhole`. */
const code = (name: string, isWhole: boolean): string => `
const pool = ${token("acme/pool")};
const address = ${token("acme/address")};
export const sink = {
  kind: "sink", id: "${name}/pooled", description: "Asks for a pool.", inject: { pool },
  options: { type: "object", properties: {} },
  overflow: { maxEvents: 100, maxBytes: 100000, policy: "drop-deltas" },
  create: (_options, { pool }) => {
    globalThis.loopwrightSeen.push(pool.at);
    return { handle() {} };
  },
};
${
  isWhole
    ? `export const service = {
  kind: "service", id: pool.id, token: pool, inject: { address },
  create: ({ address }) => ({ at: address }),
  dispose: () => { globalThis.loopwrightSeen.push("disposed"); },
};
export const inner = { kind: "service", id: address.id, token: address, inject: {}, create: () => "db" };`
    : ""
}
`;

function install(name: string, isWhole: boolean): void {
  const folder = join(root, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  const services = [
    { kind: "service", id: "acme/pool", export: ".#service" },
    { kind: "service", id: "acme/address", export: ".#inner" },
  ];
  const manifest = {
    name,
    version: "1.2.0",
    type: "module",
    exports: "./index.js",
    keywords: ["loopwright-plugin"],
    loopwright: {
      apiVersion: "plugin/1",
      provides: [
        { kind: "sink", id: `${name}/pooled`, export: ".#sink" },
        ...(isWhole ? services : []),
      ],
    },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "index.js"), code(name, isWhole));
}

const never = (): never => {
  throw new Error("no run is started here");
};
const own = [
  defineProvider({
    id: "mute",
    description: "Says nothing.",
    free: ["mute"],
    options: Type.Object({}),
    create: () => ({ generate: never, capabilities: never }),
  }),
  defineStrategy({
    id: "answering",
    description: "Answers.",
    options: Type.Object({}),
    flow: { sets: ["answer"] },
    bounds: () => generations(1),
    run: never,
  }),
].map((definition) => ({
  kind: definition.kind,
  id: definition.id,
  load: async () => definition as never,
}));

const spec = (packages: string, sink: string): { readonly text: string } => ({
  text: `apiVersion: loopwright/v1\nname: t\ntask: T.\nmodel: mute/m\nplugins: [${packages}]\nstrategy: answering\nsinks: [${sink}]\n`,
});
const whole = '"acme@^1.0.0"';
const needy = '"needy@^1.0.0"';

/** What the code of the packages tells: the pools that sinks were given, and what was disposed. */
const seen: string[] = [];

let app: App | undefined;
beforeAll(() => {
  Object.assign(globalThis, { loopwrightSeen: seen });
  install("acme", true);
  install("needy", false);
});
afterEach(async () => {
  await app?.close();
  app = undefined;
  seen.length = 0;
});

async function open(): Promise<App> {
  app = await createApp({
    plugins: [{ name: "own", entries: own }],
    discovery: false,
    root,
    env: {},
  });
  return app;
}

async function saidOf(from: App, given: { readonly text: string }): Promise<readonly string[]> {
  const { diagnostics } = await from.check(given);
  return diagnostics.map(({ code: said, line, message }) => `${said}:${line} ${message}`);
}

describe("a service that only a package of `plugins` brings", () => {
  it("is found by check and by compile, with the services that it needs itself", async () => {
    const from = await open();
    expect(await saidOf(from, spec(whole, "acme/pooled"))).toEqual([]);
    await from.compile(spec(whole, "acme/pooled"));
    expect(seen).toEqual(["db"]);
  });

  it("is made once for all programs of the same packages, and disposed with the app", async () => {
    const from = await open();
    await from.compile(spec(whole, "acme/pooled"));
    await from.compile(spec(whole, "acme/pooled"));
    await from.close();
    expect(seen).toEqual(["db", "db", "disposed"]);
  });

  it("is seen through another package that is named beside it", async () => {
    const from = await open();
    expect(await saidOf(from, spec(`${whole}, ${needy}`, "needy/pooled"))).toEqual([]);
    await from.compile(spec(`${whole}, ${needy}`, "needy/pooled"));
    expect(seen).toEqual(["db"]);
  });

  it("is missing for a spec that does not name the package, also after one that does", async () => {
    const from = await open();
    await from.compile(spec(whole, "acme/pooled"));
    const [said] = await saidOf(from, spec(needy, "needy/pooled"));
    expect(said).toContain("LW-PLUGIN-SERVICES:7 `acme/pool`, asked for by sink `needy/pooled`");
    await expect(from.compile(spec(needy, "needy/pooled"))).rejects.toMatchObject({
      code: "plugin-services-missing",
    });
  });
});
