import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runInProcess } from "../../test/run-in-process.ts";
import { rewriteSpecs } from "../rewrite-specs.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "migrate-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string): string {
  const path = join(folder, "a.yaml");
  writeFileSync(path, text);
  return path;
}

test("says of a spec of the present version that it is, and leaves it", async () => {
  const path = file("apiVersion:   loopwright/v1\n");
  expect(await runInProcess("migrate", path)).toEqual({
    code: 0,
    stdout: `${path}: already loopwright/v1\n`,
    stderr: "",
  });
  expect(readFileSync(path, "utf8")).toBe("apiVersion:   loopwright/v1\n");
});

test("names the known versions where a spec has another", async () => {
  const path = file("name: a\napiVersion: loopwright/v9\n");
  const { code, stderr } = await runInProcess("migrate", path);
  expect(code).toBe(4);
  expect(stderr).toContain(`${path}:2:13 LW-SPEC-API-VERSION `);
  expect(stderr).toContain("this version reads `loopwright/v1`");
});

test("writes what a step made, and with --check only says so", () => {
  const path = file("old\n");
  const mode = {
    rewrite: () => ({ ok: true, text: "new\n" }) as const,
    tell: () => "",
  };
  expect(rewriteSpecs([path], { ...mode, isCheck: true })).toBe(1);
  expect(readFileSync(path, "utf8")).toBe("old\n");
  expect(rewriteSpecs([path], { ...mode, isCheck: false })).toBe(0);
  expect(readFileSync(path, "utf8")).toBe("new\n");
});
