import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Makes a folder for the tests of a file, gone when they are done; call it outside of tests. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
