import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLoopwrightError } from "@loopwright/core/plugin";
import { tempFolder } from "@loopwright/testkit";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { confine, isInside, isSecretFile } from "./confined-path.ts";

let root = "";

beforeAll(() => {
  const base = tempFolder();
  root = join(base, "project");
  for (const folder of ["docs/deep", "..data", "../project-two/deep"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of [
    "docs/a.txt",
    "..data/a.txt",
    "../project-two/a.txt",
    "../project-two/deep/a.txt",
  ])
    writeFileSync(join(root, file), "text");
  symlinkSync("../project-two", join(root, "out"));
  symlinkSync("..", join(root, "docs", "up"));
  symlinkSync("../../project-two/a.txt", join(root, "docs", "file-out"));
  symlinkSync("docs", join(root, "in"));
  symlinkSync("loop", join(root, "loop"));
  root = realpathSync(root);
});

describe("a path of a model", () => {
  it("leads into the folder or nowhere, whatever it is made of", async () => {
    const name = fc.constantFrom(
      ...".. . docs deep up out in loop a.txt file-out ..data project project-two ~ %2e%2e ..\\.. C:".split(
        " ",
      ),
      "",
      "\0",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 7 }), async (names) => {
        const reached = await confine(root, names.join("/")).then(
          ({ target }) => (isInside(root, target) ? "inside" : target),
          (fault: unknown) => (isLoopwrightError(fault) ? "refused" : "another fault"),
        );
        expect(["inside", "refused"]).toContain(reached);
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    "docs/up/docs/a.txt",
    "in/deep",
    "..data/a.txt",
    "docs/../docs/a.txt",
    "../project",
    ".",
  ])("may be %s", async (wanted) => {
    expect(isInside(root, (await confine(root, wanted)).target)).toBe(true);
  });

  it.each(["docs/file-out", "out/deep", "out", ".."])("may not be %s", async (wanted) => {
    await expect(confine(root, wanted)).rejects.toThrow(/outside the folder/);
  });

  it("that lies beside the folder is not inside it", () => {
    expect(isInside("/a/project", "/a/project-two")).toBe(false);
    expect(isInside("/a/project", "/a/project/..data")).toBe(true);
  });

  it.each([
    [".env", true],
    ["deep/.env.local", true],
    ["deep\\.ENV", true],
    [".env.example", false],
    [".envrc", true],
    [".env-prod", true],
    [".env_prod", true],
    [".env~", true],
    ["deep/prod.env", true],
    ["env", false],
    ["my.env.ts", false],
    ["deep.env/a.txt", false],
    [".environment", false],
  ])("to %s holds secrets: %s", (path, isSecret) => {
    expect(isSecretFile(path)).toBe(isSecret);
  });
});
