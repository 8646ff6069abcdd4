import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { missingFileRepair } from "./missing-file.ts";

const around = mkdtempSync(join(tmpdir(), "loopwright-missing-"));
const root = join(around, "project");
mkdirSync(join(root, "prompts"), { recursive: true });
mkdirSync(join(around, "secrets"));
writeFileSync(join(root, "prompts", "rules.txt"), "");
writeFileSync(join(around, "secrets", "private.txt"), "");
symlinkSync(join(around, "secrets"), join(root, "out"), "dir");
afterAll(() => {
  rmSync(around, { recursive: true });
});

describe("the repair of a missing file", () => {
  it("names the file beside it with nearly its name", () => {
    expect(missingFileRepair("prompts/ruels.txt", root, "spec.yaml")).toBe(
      "did you mean `rules.txt`?",
    );
  });

  it("says where the path is looked for", () => {
    expect(missingFileRepair("nowhere/rules.txt", root, "spec.yaml")).toBe(
      "make it, or mend the path: it is relative to `spec.yaml`",
    );
    expect(missingFileRepair("rules.txt", root, "--set")).toBe("make it, or name another file");
  });

  it("tells no name from outside the root", () => {
    expect(missingFileRepair("out/privat.txt", root, "spec.yaml")).not.toContain("private");
    expect(missingFileRepair("../secrets/privat.txt", root, "spec.yaml")).not.toContain("private");
  });
});
