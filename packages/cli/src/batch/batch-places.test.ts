import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { batchFolder, lettersIn } from "../../test/batch-files.ts";
import { runInProcess } from "../../test/run-in-process.ts";

const ROWS = "comment\nmute\nfine\n";

const batch = (folder: string, ...args: readonly string[]) =>
  runInProcess("batch", join(folder, "spec.yaml"), "--from", join(folder, "rows.csv"), ...args);

/** A project with links to its files, and others that are no dead letters. */
function place(): string {
  const folder = batchFolder(ROWS);
  symlinkSync(join(folder, "rows.csv"), join(folder, "link"));
  linkSync(join(folder, "spec.yaml"), join(folder, "hard"));
  symlinkSync(join(folder, "later.jsonl"), join(folder, "dangling"));
  writeFileSync(join(folder, "notes.txt"), "mine\n");
  mkdirSync(join(folder, "sub"));
  return folder;
}

const textsOf = (folder: string): readonly string[] =>
  ["rows.csv", "spec.yaml", "notes.txt"].map((name) => readFileSync(join(folder, name), "utf8"));

test.each([
  ["--dead-letters", "rows.csv", "is the file that the rows come from"],
  ["--dead-letters", "link", "is the file that the rows come from"],
  ["--dead-letters", "spec.yaml", "is the spec"],
  ["--dead-letters", "hard", "is the spec"],
  ["--dead-letters", "notes.txt", "exists and holds no dead letters"],
  ["--dead-letters", "sub", "is a folder"],
  ["--dead-letters", "notes.txt/dead.jsonl", "a part of its path is a file"],
  ["--to", "sub", "is a folder"],
  ["--to", "link", "is the file that the rows come from"],
  ["--to", "hard", "is the spec"],
])("%s %s is refused before the first call, and nothing is touched", async (option, name, why) => {
  const folder = place();
  const before = textsOf(folder);
  for (const more of [[], ["--restart"], ["--anyway"]]) {
    const { code, stderr, stdout } = await batch(
      folder,
      option,
      join(folder, name),
      ...more,
      "--json",
    );
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(why) });
    expect(JSON.parse(stdout)).toMatchObject({ error: { message: expect.stringContaining(why) } });
  }
  expect(textsOf(folder)).toEqual(before);
});

test("values and dead letters can't go to one file that a link leads to", async () => {
  const folder = place();
  const [to, letters] = [join(folder, "later.jsonl"), join(folder, "dangling")];
  expect(await batch(folder, "--to", to, "--dead-letters", letters)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("where the values go"),
  });
});

test("what a spec names as its dead letters is held to the same", async () => {
  const folder = place();
  const spec = join(folder, "spec.yaml");
  const text = readFileSync(spec, "utf8");
  writeFileSync(spec, text.replace("output:\n", "output:\n  deadLetter: notes.txt\n"));
  expect(await batch(folder)).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/dead letters, .*notes\.txt, exists and holds no dead letters/u),
  });
  expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("mine\n");
});

test("a file of dead letters, also one whose first was cut off, takes more of them", async () => {
  const folder = place();
  const letters = join(folder, "letters.jsonl");
  writeFileSync(letters, '{"v":1,"kind":"dead-le');
  expect(await batch(folder, "--dead-letters", letters)).toMatchObject({ code: 1 });
  expect(await batch(folder, "--dead-letters", letters, "--retry-failed")).toMatchObject({
    code: 1,
  });
  expect(readFileSync(letters, "utf8")).toContain('"row":1');
  expect(lettersIn(folder)).toEqual([]);
});
