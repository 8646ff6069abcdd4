import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { ERROR_CODES } from "../packages/core/src/errors/error-codes.ts";
import { DIAGNOSTIC_CODES } from "../packages/core/src/spec/text/diagnostic-codes.ts";
import { doors, doorsOf, exportsOf } from "./door-exports.ts";
import { type BuiltInPlugin, builtInPlugins } from "./plugin-docs.ts";
import {
  filesUnder,
  repositoryRoot,
  sourceFiles,
  stringsIn,
  textOf,
  treeOf,
} from "./source-files.ts";

const BANNED = new Set(["utils", "helpers", "types", "common", "manager", "base", "misc"]);

const files = sourceFiles();
const sources = files.filter((file) => /^packages\/[^/]+\/src\//.test(file) && !isTest(file));

function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}

/** The files that hold a text as a value; files that only list names do not count. */
function holders(text: string, among: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  return [...among].flatMap(([file, strings]) => (strings.has(text) ? [file] : []));
}

function stringsOf(list: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(list.map((file) => [file, stringsIn(file)]));
}

describe("every built-in plugin", () => {
  let plugins: readonly BuiltInPlugin[] = [];
  beforeAll(async () => {
    plugins = await builtInPlugins();
  });

  it("is one file, named for its id, that its package loads under that id", () => {
    for (const { entry, file, definition } of plugins) {
      expect(existsSync(join(repositoryRoot, file))).toBe(true);
      expect(definition).toMatchObject({ kind: entry.kind, id: entry.id });
    }
    const places = plugins.map(({ file }) => file);
    expect(new Set(places).size).toBe(places.length);
  });

  it("goes through the conformance suite of its kind", () => {
    for (const { file } of plugins) {
      const suite = file.replace(/src\/.*/, "src/conformance.test.ts");
      const own = file.replace(/.*\/src\//, "./");
      expect(textOf(suite)).toContain(`from "${own}"`);
    }
  });

  it("has a row in docs/plugins.md", () => {
    const rows = textOf("docs/plugins.md").split("\n");
    for (const { entry } of plugins)
      expect(
        rows.filter((row) => new RegExp(`^\\| .*\`${entry.id}\`.* \\|`).test(row)),
      ).not.toEqual([]);
  });

  it("is used by an example spec or by a test that runs specs", () => {
    const specs = filesUnder("specs").filter((file) => file.endsWith(".yaml"));
    const tests = files.filter(
      (file) => isTest(file) && !/\/(?:conformance|builtin)\.test\.ts$/.test(file),
    );
    const texts = [...specs, ...tests].map((file) => textOf(file));
    const unused = plugins.filter(
      ({ entry }) =>
        // No spec names a service: its conformance suite and the tools that ask for it use it.
        entry.kind !== "service" &&
        !texts.some((text) => new RegExp(`(?<![\\w-])${entry.id}(?![\\w-])`).test(text)),
    );
    expect(unused.map(({ entry }) => entry.id)).toEqual([]);
  });
});

describe("every code and event", () => {
  it("of the catalogue of events is told somewhere", () => {
    const tellers = stringsOf(
      sources.filter((file) => /^packages\/(?:core|strategies)\//.test(file)),
    );
    expect(eventNames().filter((name) => holders(name, tellers).length === 0)).toEqual([]);
  });

  it("of the list of errors is used somewhere", () => {
    const users = stringsOf(sources.filter((file) => !file.endsWith("/error-codes.ts")));
    const codes = Object.keys(ERROR_CODES);
    expect(codes.filter((code) => holders(code, users).length === 0)).toEqual([]);
  });

  it("of the list of diagnostics is used somewhere", () => {
    const users = stringsOf(sources.filter((file) => !file.endsWith("/diagnostic-codes.ts")));
    const codes = Object.keys(DIAGNOSTIC_CODES);
    expect(codes.filter((code) => holders(code, users).length === 0)).toEqual([]);
  });

  it("that is used is on the list", () => {
    const used = sources.flatMap((file) =>
      [...stringsIn(file)].filter((text) => /^LW-[A-Z-]+$/.test(text)),
    );
    expect(used.filter((code) => !(code in DIAGNOSTIC_CODES))).toEqual([]);
  });
});

describe("every file", () => {
  it("has a name of its own in kebab-case", () => {
    const named = files.map(
      (file) => [file, basename(file).replace(/(?:\.test|\.e2e|\.bench)*\.ts$/, "")] as const,
    );
    const odd = named.filter(
      ([, name]) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || BANNED.has(name),
    );
    expect(odd.map(([file]) => file)).toEqual([]);
  });

  it("called index.ts only re-exports", () => {
    const doing = files
      .filter((file) => basename(file) === "index.ts")
      .filter((file) =>
        treeOf(file).statements.some((statement) => !ts.isExportDeclaration(statement)),
      );
    expect(doing).toEqual([]);
  });
});

describe("every door", () => {
  it("leads to a source that exists, in the examples too", () => {
    const manifests = [...filesUnder("packages"), ...filesUnder("examples")].filter((file) =>
      /^(?:packages|examples)\/[^/]+\/package\.json$/.test(file),
    );
    expect(manifests.length).toBeGreaterThan(9);
    const missing = manifests
      .flatMap(doorsOf)
      .filter(({ file }) => !existsSync(join(repositoryRoot, file)));
    expect(missing).toEqual([]);
  });

  it("has a doc comment on everything that it exports", () => {
    const bare = doors().flatMap(({ name, file }) =>
      exportsOf(file).flatMap((one) => (one.hasDoc ? [] : [`${name}: ${one.name} (${one.file})`])),
    );
    expect(bare).toEqual([]);
  });
});

/** The keys of `EventData`, over the groups that it joins. */
function eventNames(): readonly string[] {
  return ["scope", "work", "call", "live"].flatMap((group) => {
    const file = `packages/core/src/contracts/${group}-events.ts`;
    const names = treeOf(file).statements.flatMap((statement) =>
      ts.isInterfaceDeclaration(statement)
        ? statement.members.flatMap(({ name }) =>
            name !== undefined && ts.isStringLiteral(name) ? [name.text] : [],
          )
        : [],
    );
    if (names.length === 0) throw new Error(`${file} holds no events`);
    return names;
  });
}
