import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exampleProject } from "../test/example-specs.ts";
import { runInProcess } from "../test/run-in-process.ts";

const folder = exampleProject();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const spec = (model: string, log: string): string => `apiVersion: loopwright/v1
name: noting
task: Note the count.
model: { use: ${model} }
tools: { write-file: { approval: never } }
strategy: react
sinks: [{ jsonl: { path: ${log} } }]
`;

const REPLIES = `replies:
  - calls: [{ name: write-file, arguments: { path: count.txt, content: four } }]
  - noted
`;

test("a run whose models replay a log changes nothing a second time", {
  timeout: 60_000,
}, async () => {
  writeFileSync(at("replies.yaml"), REPLIES);
  writeFileSync(at("noting.yaml"), spec("scripted/desk, file: replies.yaml", "run.jsonl"));
  const first = await runInProcess("run", at("noting.yaml"), "--json");
  expect(JSON.parse(first.stdout)).toMatchObject({ outcome: "done", answer: { text: "noted" } });
  expect(readFileSync(at("count.txt"), "utf8")).toBe("four");
  rmSync(at("count.txt"));
  writeFileSync(at("again.yaml"), spec("replay/desk, file: run.jsonl", "again.jsonl"));
  const again = await runInProcess("run", at("again.yaml"), "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: "done", answer: { text: "noted" } });
  expect(existsSync(at("count.txt"))).toBe(false);
  const result = (file: string): unknown =>
    readFileSync(at(file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { name: string; data: unknown })
      .find(({ name }) => name === "observation.recorded")?.data;
  expect(result("again.jsonl")).toEqual(result("run.jsonl"));
});
