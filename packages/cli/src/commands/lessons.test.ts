import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { exampleFolder } from "../../test/example-specs.ts";
import { runInProcess } from "../../test/run-in-process.ts";

const folder = exampleFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "learned.jsonl");
const spec = join(folder, "learned.yaml");

const lessonOf = (id: string, lesson: string, expires?: string): object => ({
  id,
  trigger: "a parcel",
  failurePattern: "a promised date",
  lesson,
  avoid: "",
  source: "run-1",
  time: "2026-08-24T10:00:00.000Z",
  scope: "example",
  uses: 2,
  ...(expires === undefined ? {} : { expires }),
});

beforeEach(() => {
  const all = [
    lessonOf("3f2a1111-0000", "Look it up first."),
    lessonOf("3f2b2222-0000", "Quote no date\u001B[2J."),
    lessonOf("9c000000-0000", "Long gone.", "2026-08-25T10:00:00.000Z"),
  ];
  writeFileSync(file, all.map((one) => `${JSON.stringify(one)}\n`).join(""));
});

const lessons = (...argv: readonly string[]) => runInProcess("lessons", ...argv);
const kept = (): readonly string[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).id.slice(0, 4));

test("list shows each in one line, without what could move the cursor", async () => {
  const { code, stdout, stderr } = await lessons("list", spec);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [head, first, second] = stdout.split("\n");
  expect(head).toMatch(/^ID +USES +LEARNED +LESSON$/u);
  expect(first).toMatch(/^3f2a1111 +2 +2026-08-24 +Look it up first\.$/u);
  expect(second).toContain("Quote no date\\u001b[2J.");
  const asJson = JSON.parse((await lessons("list", spec, "--json")).stdout);
  expect(asJson.lessons[0]).toMatchObject({ id: "3f2a1111-0000", uses: 2 });
});

test("show takes the first letters of an id, and says where they fit none or several", async () => {
  const { stdout } = await lessons("show", "3f2a", spec);
  expect(stdout).toMatch(/^id +3f2a1111-0000\ntrigger +a parcel\n/u);
  for (const [id, why] of [
    ["3f", "2 lessons begin with `3f`"],
    ["77", "no lesson begins with `77`"],
  ] as const) {
    const { code, stderr } = await lessons("show", id, spec);
    expect(code).toBe(4);
    expect(stderr).toBe(`loopwright: ${why}; loopwright lessons list shows them\n`);
  }
});

test("remove takes one out, prune what has expired", async () => {
  expect((await lessons("remove", "3f2b", spec)).stdout).toMatch(/^removed 3f2b2222-0000: Quote/u);
  expect(kept()).toEqual(["3f2a", "9c00"]);
  expect((await lessons("prune", spec)).stdout).toBe("1 expired lesson removed\n");
  expect(kept()).toEqual(["3f2a"]);
  const asJson = await lessons("remove", "3f2a", spec, "--json");
  expect(JSON.parse(asJson.stdout)).toEqual({ removed: ["3f2a1111-0000"] });
});

test("an unknown action, a missing spec and a spec without a memory are each one line", async () => {
  expect((await lessons("remov", "3f", spec)).stderr).toBe(
    "loopwright: lessons has no action `remov`; did you mean `remove`?\n",
  );
  expect(await lessons("show", "3f")).toMatchObject({ code: 64 });
  const { code, stderr } = await lessons("list", join(folder, "answer.yaml"));
  expect(code).toBe(4);
  expect(stderr).toContain("declares no memory");
});

test("a spec whose overlays and switches name its stages, and whose model lacks its key, is read", async () => {
  const named = join(folder, "named.yaml");
  const lines = [
    "apiVersion: loopwright/v1",
    "name: example",
    "task: hi",
    "model: openai/x",
    "memory: { lessons: { use: file, path: learned.jsonl } }",
    "strategy: [{ recall: { from: lessons } }, { direct: { id: d } }]",
    "switches: { off: { stages: [d] } }",
    "overlays: { a: { stages: { d: { limits: { time: 5s } } } } }",
  ];
  writeFileSync(named, `${lines.join("\n")}\n`);
  const { code, stdout, stderr } = await lessons("list", named);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("Look it up first.");
});
