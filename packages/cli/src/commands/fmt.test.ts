import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runInProcess } from "../../test/run-in-process.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fmt-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stale = "# a\nname: on\napiVersion: loopwright/v1 # v\n";
const tidy = '# a\napiVersion: loopwright/v1 # v\nname: "on"\n';

function file(text: string | Uint8Array, name = "a.yaml"): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("writes a spec in order, and says nothing of one that is", async () => {
  const path = file(stale);
  expect(await runInProcess("fmt", path)).toEqual({
    code: 0,
    stdout: `${path}: written\n`,
    stderr: "",
  });
  expect(readFileSync(path, "utf8")).toBe(tidy);
  expect(await runInProcess("fmt", path)).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("--check lists what would change, exits 1 and writes nothing", async () => {
  const [first, second] = [file(stale), file(tidy, "b.yaml")];
  expect(await runInProcess("fmt", "--check", first, second)).toEqual({
    code: 1,
    stdout: `${first}: would change\n`,
    stderr: "",
  });
  expect(readFileSync(first, "utf8")).toBe(stale);
  expect((await runInProcess("fmt", "--check", second)).code).toBe(0);
});

test("--stdout prints the result and leaves the file", async () => {
  const path = file(stale);
  expect(await runInProcess("fmt", "--stdout", path)).toEqual({
    code: 0,
    stdout: tidy,
    stderr: "",
  });
  expect(readFileSync(path, "utf8")).toBe(stale);
});

test("--check and --stdout exclude each other", async () => {
  const { code, stdout, stderr } = await runInProcess("fmt", "--check", "--stdout", file(stale));
  expect([code, stdout]).toEqual([64, ""]);
  expect(stderr).toContain("--check and --stdout exclude each other");
});

test("says on standard error that an alias keeps the keys where they are, with --check too", async () => {
  const path = file("models: { a: &m ollama/x }\nmodel: *m\n");
  const stderr = `${path}: the keys stay in their order: sorted, an alias like *m would stand before its anchor\n`;
  expect(await runInProcess("fmt", path)).toEqual({ code: 0, stdout: "", stderr });
  expect(await runInProcess("fmt", "--check", path)).toEqual({ code: 0, stdout: "", stderr });
});

test("tells a broken file with its place, leaves it, and does the others", async () => {
  const broken = file("a: 1\na: 2\n", "broken.yaml");
  const path = file(stale);
  const { code, stderr } = await runInProcess("fmt", broken, path);
  expect(code).toBe(4);
  const [place, line, caret, fix, all] = stderr.split("\n");
  expect(place).toContain(`${broken}:2:1 LW-YAML-DUPLICATE-KEY \`a\` is written twice`);
  expect([line, caret]).toEqual(["2 | a: 2", "  | ^"]);
  expect(fix).toMatch(/^fix: /u);
  expect(all).toBe(`loopwright check ${broken} tells all that is wrong with it`);
  expect(readFileSync(broken, "utf8")).toBe("a: 1\na: 2\n");
  expect(readFileSync(path, "utf8")).toBe(tidy);
});

test("refuses a file that is not UTF-8 rather than breaking it", async () => {
  const path = file(Uint8Array.from([0x6e, 0x3a, 0x20, 0xe9, 0x0a]));
  const { code, stderr } = await runInProcess("fmt", path);
  expect(code).toBe(4);
  expect(stderr).toContain("is not UTF-8");
});

test("needs a spec that is there", async () => {
  expect((await runInProcess("fmt")).code).toBe(64);
  expect((await runInProcess("fmt", join(folder, "none.yaml"))).stderr).toContain("does not exist");
});
