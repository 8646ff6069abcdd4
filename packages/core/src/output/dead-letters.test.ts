import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DeadLetter } from "../contracts/dead-letter.ts";
import { NO_USAGE } from "../contracts/provider.ts";
import {
  appendDeadLetter,
  isLetterFile,
  readDeadLetters,
  resolveDeadLetter,
} from "./dead-letters.ts";

let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loopwright-letters-"));
  file = join(folder, "dead", "letters.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

function letter(id: string): DeadLetter {
  return {
    v: 1,
    kind: "dead-letter",
    id,
    time: 1,
    spec: "reviews",
    file: "reviews.yaml",
    programHash: "0",
    outcome: "failed",
    code: "output-invalid",
    message: "it does not fit",
    input: { inputs: { comment: "line\nbreak \u2028 \u{1f600}" } },
    attempts: [],
    schemaHash: "0",
    modelCalls: 0,
    usage: NO_USAGE,
    usd: 0,
  };
}

async function openIds(): Promise<readonly string[]> {
  return (await readDeadLetters(file)).open.map(({ id }) => id);
}

describe("a file of dead letters", () => {
  it("gives back what was appended, also at once, in order", async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `run-${index}`);
    await Promise.all(ids.map((id) => appendDeadLetter(file, letter(id))));
    const { open, broken } = await readDeadLetters(file);
    expect(open).toEqual(ids.map(letter));
    expect(broken).toEqual([]);
  });

  it("gives back letters that are longer than what is read at once", async () => {
    const long = { ...letter("long"), message: "\u{1f600}x".repeat(100_000) };
    for (const one of [letter("a"), long, letter("b")]) await appendDeadLetter(file, one);
    expect((await readDeadLetters(file)).open).toEqual([letter("a"), long, letter("b")]);
  });

  it("that is not there holds none", async () => {
    expect(await readDeadLetters(file)).toEqual({ open: [], resolved: 0, broken: [] });
  });

  it("tells the resolved ones apart, and one that failed again", async () => {
    for (const id of ["a", "b", "c"]) await appendDeadLetter(file, letter(id));
    await resolveDeadLetter(file, "a", "run-9", 2);
    await resolveDeadLetter(file, "b", "run-10", 2);
    await resolveDeadLetter(file, "unknown", "run-11", 2);
    await appendDeadLetter(file, letter("b"));
    expect(await readDeadLetters(file)).toMatchObject({
      resolved: 2,
      open: [{ id: "c" }, { id: "b" }],
    });
  });

  it("loses nothing to a line that was cut", async () => {
    await appendDeadLetter(file, letter("a"));
    const whole = await readFile(file, "utf8");
    for (let length = 1; length < whole.length; length += 37) {
      await writeFile(file, whole + whole.slice(0, length));
      expect(await readDeadLetters(file)).toMatchObject({
        open: [{ id: "a" }],
        broken: [{ line: 2 }],
      });
      await appendDeadLetter(file, letter("b"));
      expect(await openIds()).toEqual(["a", "b"]);
    }
  });

  it.each([
    ["[1]", /neither a dead letter/],
    ["null", /neither a dead letter/],
    ['{"v": 1, "kind": "dead-letter", "id": "x"}', /lacks `time`/],
    [JSON.stringify({ ...letter("x"), v: 2 }), /`v` is 2, not 1/],
    [JSON.stringify({ ...letter("x"), input: {} }), /`input` lacks `inputs`/],
  ])("tells %s as broken, and goes on", async (line, why) => {
    await appendDeadLetter(file, letter("a"));
    await appendFile(file, `${line}\n\n`);
    await appendDeadLetter(file, letter("b"));
    const { broken } = await readDeadLetters(file);
    expect(broken).toMatchObject([{ line: 2, message: expect.stringMatching(why) }]);
    expect(await openIds()).toEqual(["a", "b"]);
  });

  it("that can't be written rejects, and the next one is not held up", async () => {
    await writeFile(join(folder, "dead"), "no folder");
    await expect(appendDeadLetter(file, letter("a"))).rejects.toMatchObject({
      message: expect.stringMatching(/a part of its path is a file/),
      code: expect.stringMatching(/EEXIST|ENOTDIR/),
    });
    await rm(join(folder, "dead"));
    await appendDeadLetter(file, letter("b"));
    expect(await openIds()).toEqual(["b"]);
  });

  it("holds letters that do not tell their calls", async () => {
    const { modelCalls: _none, ...bare } = letter("a");
    await appendDeadLetter(file, bare);
    expect(await readDeadLetters(file)).toMatchObject({ open: [{ id: "a" }], broken: [] });
  });

  it.each(["id,comment\n1,fine\n", '{"row":1}\n', "[]", "{}", '{"v":1,"kind":"batch"}'])(
    "is no other file, and nothing is appended to one: %j",
    async (text) => {
      file = join(folder, "mine");
      await writeFile(file, text);
      expect(await isLetterFile(file)).toBe(false);
      await expect(appendDeadLetter(file, letter("a"))).rejects.toThrow(/no file of dead letters/);
      expect(await readFile(file, "utf8")).toBe(text);
    },
  );

  it("may be missing, empty, begin with a letter that was cut, or with a note", async () => {
    file = join(folder, "mine");
    expect(await isLetterFile(file)).toBe(true);
    const torn = JSON.stringify(letter("a")).slice(0, 9);
    const note = '{"kind": "resolved", "v": 1, "id": "a", "runId": "b", "time": 1}';
    const long = JSON.stringify({ ...letter("a"), message: "x".repeat(70_000) });
    for (const text of ["", "\n", torn, note, long]) {
      await writeFile(file, text);
      expect(await isLetterFile(file)).toBe(true);
    }
  });
});
