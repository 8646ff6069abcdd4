import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Arguments } from "./arguments.ts";
import { readSettings } from "./read-settings.ts";

const folder = mkdtempSync(join(tmpdir(), "loopwright-"));
const replies = join(folder, "replies.yaml");
writeFileSync(replies, "replies: []\n");
const read = (values: Record<string, string | string[]>): ReturnType<typeof readSettings> =>
  readSettings(new Arguments([], values));

test("splits `--set` at the first `=`", () => {
  expect(read({ set: ["task.text=a=b", "x="] }).overrides).toEqual([
    { path: "task.text", value: "a=b" },
    { path: "x", value: "" },
  ]);
});

test("hands the script to scripted models alone", () => {
  const { models } = read({ model: ["*=scripted/desk", "judge=kimi/kimi-k3"], replies });
  expect(models).toEqual([
    { match: "*", model: "scripted/desk", options: { file: replies } },
    { match: "judge", model: "kimi/kimi-k3" },
  ]);
});

test("takes a model with its settings as a spec writes them", () => {
  const text = "*={ use: openai/large, price: { input: 1.5, output: 2 } }";
  expect(read({ model: [text] }).models).toEqual([
    { match: "*", model: "openai/large", options: { price: { input: 1.5, output: 2 } } },
  ]);
});

test.each([
  [{ set: ["x"] }, "--set x says no value; write like --set stages.react.maxSteps=4"],
  [{ model: ["kimi/k3"] }, "--model kimi/k3 is not written ROLE=PROVIDER/NAME"],
  [{ model: ["judge=kimi"] }, "--model judge=kimi is not written ROLE=PROVIDER/NAME"],
  [{ model: ["judge={ price: 1 }"] }, "is not written ROLE=PROVIDER/NAME"],
  [{ model: ["judge={ use: [ }"] }, "is not written ROLE=PROVIDER/NAME"],
  [{ replies }, "--replies goes with a scripted model"],
  [{ replies: "gone.yaml" }, "--replies gone.yaml does not exist"],
  [{ replies: folder }, "is a folder, not a file"],
])("refuses %j", (values, message) => {
  expect(() => read(values)).toThrow(message);
});

test("takes overlays in their order", () => {
  expect(read({ overlay: ["dev", "loud"] }).overlays).toEqual(["dev", "loud"]);
  expect(read({}).overlays).toEqual([]);
});
