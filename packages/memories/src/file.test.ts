import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, isLoopwrightError, type Memory } from "@loopwright/core/plugin";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findUnreadableLines } from "./file/lesson-lines.ts";
import { file } from "./file.ts";

const START = Date.UTC(2026, 7, 24);
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lessons-"));
  path = join(folder, "deep", "lessons.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

function open(
  at: string = path,
  options: { ttl?: number; max?: number } = {},
  now = START,
): Memory {
  const clock: Clock = { now: () => now, after: () => () => undefined };
  const create = file.create as (options: object, services: { clock: Clock }) => Memory;
  return create({ path: at, max: 1000, ...options }, { clock });
}

const draft = (trigger: string, lesson: string, time: number = START) => ({
  trigger,
  failurePattern: "",
  lesson,
  avoid: "",
  source: "run-1",
  time: new Date(time).toISOString(),
  scope: "order-desk",
});
const query = { text: "where is my parcel", scope: "order-desk", max: 3 };
const names = async () => (await readdir(join(folder, "deep"))).toSorted();

describe("file", () => {
  it("is empty, and makes nothing, before the first lesson", async () => {
    expect(await open().list()).toEqual([]);
    expect(await open().recall(query)).toEqual([]);
    expect(await open().remove("any")).toBe(false);
    expect(await open().prune()).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });

  it("survives between instances, with the uses counted", async () => {
    const { lesson } = await open().add(draft("parcel", "read the order"));
    expect(await open().recall(query)).toEqual([{ ...lesson, uses: 1 }]);
    expect(await open().list()).toEqual([{ ...lesson, uses: 1 }]);
    expect(await names()).toEqual(["lessons.jsonl"]);
  });

  it("writes one lesson a line", async () => {
    await open().add(draft("parcel", "read\nthe order\u2028"));
    await open().add(draft("refund", "name the policy"));
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).trigger)).toEqual(["parcel", "refund"]);
  });

  it("refuses a duplicate of another instance", async () => {
    await open().add(draft("parcel", "read the order"));
    expect(await open().add(draft("PARCEL", "Read the order!"))).toMatchObject({ added: false });
  });

  it("never recalls an expired lesson, and prunes it", async () => {
    await open(path, { ttl: 1000 }).add(draft("parcel", "read the order"));
    await open(path).add(draft("refund", "name the policy"));
    const later = open(path, {}, START + 1000);
    expect((await later.recall(query)).map(({ trigger }) => trigger)).toEqual(["refund"]);
    expect(await later.prune()).toBe(1);
    expect((await later.list()).map(({ trigger }) => trigger)).toEqual(["refund"]);
  });

  it("makes room in a full file", async () => {
    const memory = open(path, { max: 2 });
    for (const [index, trigger] of ["one", "two", "three"].entries()) {
      await memory.add(draft(trigger, trigger, START + index));
    }
    expect((await memory.list()).map(({ trigger }) => trigger)).toEqual(["two", "three"]);
  });

  it("recalls around lines that hold no lesson, keeps them on a rewrite, and names them", async () => {
    await open().add(draft("parcel", "read the order"));
    const good = await readFile(path);
    const broken = [
      Buffer.from('{"half":'),
      Buffer.from([0x7b, 0xff, 0xfe]),
      Buffer.from('{"id":"x"}'),
    ];
    const lines = [broken[0], good.subarray(0, -1), broken[1], Buffer.from(""), broken[2]];
    await writeFile(
      path,
      Buffer.concat(
        lines.flatMap((line) => [line ?? "", Buffer.from("\n")]).map((part) => Buffer.from(part)),
      ),
    );
    expect(await open().list()).toHaveLength(1);
    expect(await open().recall(query)).toMatchObject([{ uses: 1 }]);
    const after = await readFile(path);
    for (const bytes of broken) expect(after.includes(bytes)).toBe(true);
    expect(await findUnreadableLines(path)).toEqual([1, 3, 4]);
  });

  it("tells the lines it can't read, and none where there are none", async () => {
    const faultsOf = async () => await open().faults?.();
    expect(await faultsOf()).toEqual([]);
    await open().add(draft("parcel", "read the order"));
    expect(await faultsOf()).toEqual([]);
    await writeFile(path, "{\n", { flag: "a" });
    expect(await faultsOf()).toEqual([`1 line of ${path} can't be read and is kept: line 2`]);
    await writeFile(path, "\n[]\n", { flag: "a" });
    expect(await faultsOf()).toEqual([`2 lines of ${path} can't be read and are kept: lines 2, 4`]);
    await writeFile(path, "x\n".repeat(13), { flag: "a" });
    expect(await faultsOf()).toEqual([
      `15 lines of ${path} can't be read and are kept: lines 2, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 5 more`,
    ]);
  });

  it("starts a line of its own after one that was torn off", async () => {
    await open().add(draft("parcel", "read the order"));
    await writeFile(path, '{"id":"torn', { flag: "a" });
    await open().add(draft("refund", "name the policy"));
    expect(await open().list()).toHaveLength(2);
    expect(await findUnreadableLines(path)).toEqual([2]);
  });

  it("reads a file of another editor: byte-order mark and CRLF", async () => {
    await open().add(draft("parcel", "read the order"));
    await writeFile(path, `\uFEFF${(await readFile(path, "utf8")).replace("\n", "\r\n")}`);
    expect(await open().recall(query)).toHaveLength(1);
  });

  it("rewrites the file that a link points to, and leaves the link", async () => {
    await open().add(draft("parcel", "read the order"));
    const link = join(folder, "link.jsonl");
    await symlink(path, link);
    await open(link).recall(query);
    expect(await open(path).list()).toMatchObject([{ uses: 1 }]);
  });

  it("tells the path of a file that can't be read or written", async () => {
    await mkdir(path, { recursive: true });
    const faults = await Promise.all(
      [
        open().list(),
        open().add(draft("parcel", "read")),
        open().faults?.() ?? Promise.resolve(),
      ].map((asked) =>
        asked.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    for (const fault of faults) {
      expect(isLoopwrightError(fault) && fault.code).toBe("memory-failed");
      expect(String(fault)).toContain(path);
    }
  });

  it("loses nothing between instances that write at once", async () => {
    const memories = [open(), open(), open()];
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const memory = memories[index % 3] ?? open();
        await memory.add(draft(`case ${index}`, `lesson ${index}`));
        await memory.recall({ ...query, text: `case ${index}`, max: 1 });
      }),
    );
    const kept = await open().list();
    expect(kept).toHaveLength(30);
    expect(kept.reduce((sum, { uses }) => sum + uses, 0)).toBe(30);
    expect(await names()).toEqual(["lessons.jsonl"]);
  });

  it("loses nothing between processes that write at once", { timeout: 60_000 }, async () => {
    const program = `
      import { file } from ${JSON.stringify(new URL("file.ts", import.meta.url).href)};
      const [path, name] = process.argv.slice(1);
      const memory = file.create({ path, max: 1000 }, { clock: { now: Date.now } });
      for (let index = 0; index < 25; index += 1) {
        await memory.add({ trigger: name + index, failurePattern: "", lesson: name, avoid: "", source: "", time: "", scope: "s" });
        await memory.recall({ text: name + index, scope: "s", max: 1 });
      }`;
    const flags = ["--import", "tsx", "--conditions=@loopwright/source", "--input-type=module"];
    const exits = ["left", "right"].map(async (name) => {
      const child = spawn(process.execPath, [...flags, "--eval", program, path, name], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      return (await once(child, "exit"))[0];
    });
    expect(await Promise.all(exits)).toEqual([0, 0]);
    const kept = await open().list();
    expect(kept).toHaveLength(50);
    expect(kept.reduce((sum, { uses }) => sum + uses, 0)).toBe(50);
  });

  it("round-trips any text", async () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constant("\ud800\n\r\u2028\u0000"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          trigger: text,
          failurePattern: text,
          lesson: text,
          avoid: text,
          source: text,
          scope: text,
        }),
        async (said) => {
          const at = join(folder, `${Math.random()}.jsonl`);
          const { lesson } = await open(at, { ttl: 1 }).add({
            ...said,
            time: new Date(START).toISOString(),
          });
          expect(await open(at).list()).toEqual([lesson]);
          expect(lesson).toMatchObject(said);
        },
      ),
      { numRuns: 60 },
    );
  });
});
