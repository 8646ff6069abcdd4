import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exampleProject } from "../../test/example-specs.ts";
import { runInProcess } from "../../test/run-in-process.ts";

const folder = exampleProject();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const SPEC = `apiVersion: loopwright/v1
name: switched
task: How many?
model: { use: scripted/desk, file: replies.yaml }
strategy: [direct, { ask: { question: Which? } }, { chain-of-thought: { id: again } }]
sinks: [{ jsonl: { path: run.jsonl } }]
switches: { quick: { stages: [again] } }
`;

writeFileSync(at("switched.yaml"), SPEC);
writeFileSync(at("replies.yaml"), "replies: [four, five]\n");

test("--switch throws a switch from the start", { timeout: 60_000 }, async () => {
  const quick = await runInProcess("run", at("switched.yaml"), "--switch", "quick", "--json");
  expect(JSON.parse(quick.stdout)).toMatchObject({ answer: { text: "four" } });
});

test("an unknown switch is named with the nearest", { timeout: 60_000 }, async () => {
  const wrong = await runInProcess("run", at("switched.yaml"), "--switch", "quik");
  expect(wrong).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("no switch `quik`; did you mean quick?") as string,
  });
});

test("a run whose models replay a log is given what people did to that run", {
  timeout: 60_000,
}, async () => {
  const log = readFileSync(at("run.jsonl"), "utf8").trim().split("\n");
  const asked = log.map((line) => {
    const event = JSON.parse(line) as { name: string; data: object };
    if (event.name !== "question.answered") return line;
    return JSON.stringify({
      ...event,
      data: { ...event.data, answered: true, reply: "the red one", by: "person" },
    });
  });
  writeFileSync(at("log.jsonl"), `${asked.join("\n")}\n`);
  writeFileSync(
    at("replayed.yaml"),
    SPEC.replace("scripted/desk, file: replies.yaml", "replay/desk, file: log.jsonl").replace(
      "run.jsonl",
      "replayed.jsonl",
    ),
  );
  const replayed = await runInProcess("run", at("replayed.yaml"), "--json");
  expect(JSON.parse(replayed.stdout)).toMatchObject({ answer: { text: "four" } });
  const events = readFileSync(at("replayed.jsonl"), "utf8");
  expect(events).toContain('"name":"switch.changed"');
  expect(events).toContain('"reply":"the red one"');
});
