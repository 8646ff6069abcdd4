import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const config = join(root, ".dependency-cruiser.cjs");
const cruiser = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");

type Files = Record<string, string>;

/** A small tree that keeps every rule. */
const cleanTree: Files = {
  "package.json": '{ "type": "module" }',
  "node_modules/inversify/package.json": '{ "name": "inversify", "main": "index.js" }',
  "node_modules/inversify/index.js": "module.exports = {};",
  "node_modules/@sinclair/typebox/package.json":
    '{ "name": "@sinclair/typebox", "main": "index.js" }',
  "node_modules/@sinclair/typebox/index.js": "module.exports = {};",
  "packages/core/package.json": JSON.stringify({
    name: "@loopwright/core",
    type: "module",
    exports: {
      ".": { "@loopwright/source": "./src/index.ts", default: "./dist/index.js" },
      "./plugin": { "@loopwright/source": "./src/plugin.ts", default: "./dist/plugin.js" },
    },
  }),
  "packages/core/src/index.ts": 'import "./wiring/container.ts";',
  "packages/core/src/plugin.ts": 'export * from "./contracts/tool.ts";',
  "packages/core/src/errors/codes.ts": "export const code = 1;",
  "packages/core/src/errors/error.ts": 'import "./codes.ts";',
  "packages/core/src/contracts/tool.ts": 'import "@sinclair/typebox"; import "../errors/error.ts";',
  "packages/core/src/run/run.ts": 'import "../contracts/tool.ts";',
  "packages/core/src/compile/compile.ts": 'import "../contracts/tool.ts";',
  "packages/core/src/wiring/container.ts":
    'import "inversify"; import "../run/run.ts"; import "./tokens.ts";',
  "packages/core/src/wiring/tokens.ts": "export const token = 1;",
  "packages/strategies/src/index.ts": 'export * from "./builtin.ts";',
  "packages/strategies/src/builtin.ts":
    'export const load = [() => import("./direct.ts"), () => import("./control/loop.ts"), () => import("./search/index.ts")];',
  "packages/strategies/src/direct.ts":
    'import "@loopwright/core/plugin"; import "./shared/prompt.ts";',
  "packages/strategies/src/control/loop.ts":
    'import "../shared/prompt.ts"; import "./loop/bound.ts";',
  "packages/strategies/src/control/loop/bound.ts": 'import "../../shared/prompt.ts";',
  "packages/strategies/src/search/index.ts": 'import "./tree.ts"; import "../shared/prompt.ts";',
  "packages/strategies/src/search/tree.ts": "export const tree = 1;",
  "packages/strategies/src/shared/prompt.ts": "export const prompt = 1;",
  "packages/tools/src/index.ts": "export {};",
  "packages/tools/src/calculator.ts": 'import "@loopwright/core/plugin";',
  "packages/testkit/src/index.ts": 'import "@loopwright/core"; import "@loopwright/core/plugin";',
  "examples/order-desk/src/index.ts": 'import "@loopwright/core/plugin";',
  "packages/cli/src/main.ts": 'import "@loopwright/core"; import "../../strategies/src/index.ts";',
};

/** One planted file a breach: the rule it breaks, its path, its text. */
const breaches: readonly (readonly [rule: string, file: string, text: string])[] = [
  ["no-unresolved", "packages/cli/src/breach-missing.ts", 'import "./missing.ts";'],
  [
    "no-unresolved",
    "packages/cli/src/breach-unlisted.ts",
    'import "@loopwright/core/src/run/run.ts";',
  ],
  ["no-cycles", "packages/cli/src/breach-cycle.ts", 'import type {} from "./other-half.ts";'],
  [
    "core-imports-no-package",
    "packages/core/src/run/breach.ts",
    'import "../../../tools/src/index.ts";',
  ],
  ["core-builds-upwards", "packages/core/src/spec/breach.ts", 'import "../run/run.ts";'],
  ["core-builds-upwards", "packages/core/src/compile/breach.ts", 'import "../run/run.ts";'],
  ["core-builds-upwards", "packages/core/src/calls/breach.ts", 'import "../run/run.ts";'],
  ["core-builds-upwards", "packages/core/src/tools/breach.ts", 'import "../compile/compile.ts";'],
  ["core-builds-upwards", "packages/core/src/events/breach.ts", 'import "../compile/compile.ts";'],
  ["core-builds-upwards", "packages/core/src/program/breach.ts", 'import "../compile/compile.ts";'],
  [
    "plugins-use-the-plugin-door",
    "packages/tools/src/breach-door.ts",
    'import "@loopwright/core";',
  ],
  [
    "plugins-use-the-plugin-door",
    "packages/tools/src/breach-deep.ts",
    'import "../../core/src/run/run.ts";',
  ],
  [
    "plugins-use-the-plugin-door",
    "examples/order-desk/src/breach.ts",
    'import "@loopwright/core";',
  ],
  ["plugins-are-islands", "packages/strategies/src/breach.ts", 'import "./direct.ts";'],
  [
    "plugins-are-islands",
    "packages/strategies/src/breach-lazy.ts",
    'export const load = () => import("./search/tree.ts");',
  ],
  ["plugins-are-islands", "packages/strategies/src/control/breach.ts", 'import "./loop.ts";'],
  ["plugins-are-islands", "packages/strategies/src/shared/breach.ts", 'import "../direct.ts";'],
  [
    "plugins-are-islands",
    "packages/checks/src/breach.ts",
    'import "../../tools/src/calculator.ts";',
  ],
  [
    "plugins-are-islands",
    "packages/checks/src/builtin.ts",
    'import "../../tools/src/calculator.ts";',
  ],
  ["leaves-stay-leaves", "packages/core/src/errors/breach.ts", 'import "../contracts/tool.ts";'],
  ["leaves-stay-leaves", "packages/core/src/contracts/breach.ts", 'import "../run/run.ts";'],
  ["leaves-stay-leaves", "packages/core/src/contracts/breach-node.ts", 'import "node:fs";'],
  [
    "only-the-door-wires",
    "packages/core/src/run/breach-wiring.ts",
    'import "../wiring/tokens.ts";',
  ],
  [
    "only-the-door-wires",
    "packages/cli/src/breach-wiring.ts",
    'import "../../core/src/wiring/tokens.ts";',
  ],
  ["one-composition-root", "packages/core/src/run/breach-container.ts", 'import "inversify";'],
];

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

describe("import rules", () => {
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-boundaries-")));
    for (const file of ["tsconfig.json", "tsconfig.base.json"])
      cpSync(join(root, file), join(folder, file));
    plant(folder, cleanTree);
    mkdirSync(join(folder, "node_modules/@loopwright"), { recursive: true });
    symlinkSync(
      join(folder, "packages/core"),
      join(folder, "node_modules/@loopwright/core"),
      "junction",
    );
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("pass a tree that keeps them, and name each breach by its rule", { timeout: 60_000 }, () => {
    expect(cruise(folder)).toEqual([]);

    plant(folder, {
      // A test file may break every rule.
      "packages/core/src/run/run.test.ts":
        'import "../../../tools/src/index.ts"; import "inversify";',
      // A circle is reported once, at its first file.
      "packages/cli/src/other-half.ts": 'import "./breach-cycle.ts";',
    });
    plant(folder, Object.fromEntries(breaches.map(([, file, text]) => [file, text])));
    const found = cruise(folder).map(({ rule, from }) => `${rule.name}: ${from}`);
    const expected = breaches.map(([rule, file]) => `${rule}: ${file}`);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it("have a planted breach each", async () => {
    const { default: rulesFile } = (await import(config)) as {
      default: { forbidden: { name: string }[] };
    };
    const rules = new Set(rulesFile.forbidden.map(({ name }) => name));
    expect(new Set(breaches.map(([rule]) => rule))).toEqual(rules);
  });
});

function plant(folder: string, files: Files): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** Runs dependency-cruiser in the folder with the repository's rules. */
function cruise(folder: string): Violation[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [cruiser, "--config", config, "--output-type", "json", "packages", "examples"],
    { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  );
  if (stdout === "") throw new Error(`dependency-cruiser gave no report: ${stderr}`);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}
