import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with some files, gone after the test; it is a project of its own. */
export function tempFiles(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-batch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const all = { "package.json": '{ "name": "rows", "private": true }', ...files };
  for (const [name, content] of Object.entries(all)) writeFileSync(join(folder, name), content);
  return folder;
}
