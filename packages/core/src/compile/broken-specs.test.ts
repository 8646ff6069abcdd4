import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type BrokenCase, head } from "../../test/broken/broken-case.ts";
import { stubPlugins } from "../../test/stub-plugins.ts";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../spec/text/diagnostic-codes.ts";
import { compileSpec } from "./compile-spec.ts";
import type { CompileResult } from "./compile-spec.ts";

const folder = new URL("../../test/broken/", import.meta.url);
const tables = readdirSync(folder)
  .filter((file) => file.endsWith(".ts") && file !== "broken-case.ts")
  .toSorted();
const loaded = await Promise.all(
  tables.map(async (file) => {
    const table = (await import(new URL(file, folder).href)) as { cases: readonly BrokenCase[] };
    return { file, cases: table.cases };
  }),
);

/** The codes that no spec alone brings about, with the reason. */
const toldElsewhere: Partial<Readonly<Record<DiagnosticCode, string>>> = {
  "LW-PLUGIN-SERVICES": "told by the app, which knows what services there are",
};

/** Compiles a case in a folder of its own that holds its files. */
async function compileCase(broken: BrokenCase, root: string): Promise<CompileResult> {
  for (const [name, content] of Object.entries(broken.files ?? {})) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const file = join(root, "spec.yaml");
  const { env = {}, overlays, encoding = "utf8" } = broken;
  writeFileSync(file, broken.bare === true ? broken.spec : head + broken.spec, encoding);
  return compileSpec(
    { file },
    { plugins: stubPlugins, env, root, ...(overlays === undefined ? {} : { overlays }) },
  );
}

describe.each(loaded)("broken specs of $file", ({ cases }) => {
  it.each(cases)("reports $name", async (broken) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-broken-")));
    try {
      const { program, diagnostics } = await compileCase(broken, root);
      const found = diagnostics.map(({ file, code, line, column }) => {
        const name = relative(root, resolve(root, file));
        const isElsewhere = name !== "spec.yaml" && !file.startsWith("--");
        return [code, line, column, ...(isElsewhere ? [name] : [])];
      });
      expect(found).toEqual(broken.found);
      expect(broken.found).not.toEqual([]);
      const isRunnable = diagnostics.every(
        ({ severity, code }) => severity !== "error" && code !== "LW-SPEC-FRAGMENT",
      );
      expect(program !== undefined).toBe(isRunnable);
      const [first] = diagnostics;
      const said = [first?.message, first?.suggestion, ...(first?.notes ?? [])].join(" ");
      expect(said).toContain(broken.says ?? "");
      expect(diagnostics.map(({ suggestion = "" }) => suggestion)).toEqual(broken.fixes);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe("the table of broken specs", () => {
  it("tells every case apart by its name", () => {
    const names = loaded.flatMap(({ cases }) => cases.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  });

  it("has a repair for every fault", () => {
    const silent = loaded.flatMap(({ cases }) =>
      cases.flatMap(({ name, fixes }) => (fixes.includes("") ? [name] : [])),
    );
    expect(silent).toEqual([]);
  });

  it("has a case for every code", () => {
    const told = new Set(
      loaded.flatMap(({ cases }) => cases.flatMap(({ found }) => found.map(([code]) => code))),
    );
    const untold = Object.keys(DIAGNOSTIC_CODES).filter((code) => !told.has(code as never));
    expect(untold).toEqual(Object.keys(toldElsewhere));
  });
});
