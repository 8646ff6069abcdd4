import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@loopwright/testkit";
import { describe, expect, it } from "vitest";
import { confine } from "./confined-path.ts";
import { openTextFile } from "./open-text-file.ts";

function project(): { readonly base: string; readonly root: string } {
  const base = tempFolder();
  const root = join(base, "project");
  mkdirSync(join(root, "docs"), { recursive: true });
  mkdirSync(join(base, "outside"));
  writeFileSync(join(root, "docs", "a.txt"), "inside");
  writeFileSync(join(base, "outside", "a.txt"), "secret");
  return { base, root };
}

describe("a file that changes between the check and the opening", () => {
  it("is refused where its folder became a link that leads out", async () => {
    const { base, root } = project();
    const place = await confine(root, "docs/a.txt");
    renameSync(join(root, "docs"), join(root, "old"));
    symlinkSync(join(base, "outside"), join(root, "docs"));
    await expect(openTextFile(place)).rejects.toThrow(/outside the folder/);
  });

  it("is refused where it became a link itself", async () => {
    const { base, root } = project();
    const place = await confine(root, "docs/a.txt");
    unlinkSync(place.target);
    symlinkSync(join(base, "outside", "a.txt"), place.target);
    await expect(openTextFile(place)).rejects.toThrow(/not a regular file/);
  });

  it("is refused where it became a pipe, at once", async () => {
    const { root } = project();
    const place = await confine(root, "docs/a.txt");
    unlinkSync(place.target);
    execFileSync("sh", ["-c", 'mkfifo "$0"', place.target]);
    await expect(openTextFile(place)).rejects.toThrow(/not a regular file/);
  });
});
