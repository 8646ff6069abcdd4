import { writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDeadLetters } from "@loopwright/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { runScripted, type ScriptedRunOptions } from "../promises/run-scripted.ts";

const INPUTS = "inputs: { comment: string }\n";
const OUTPUT =
  "output: { fields: { count: integer }, deadLetter: dead/letters.jsonl, repair: 2 }\n";
const BODY = `${INPUTS}strategy: direct\n${OUTPUT}`;

let root = "";
let file = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "loopwright-letters-"));
  file = join(root, "dead", "letters.jsonl");
});
afterEach(() => rm(root, { recursive: true }));

function options(more: ScriptedRunOptions = {}): ScriptedRunOptions {
  return { root, input: { task: "Count.", inputs: { comment: "four boxes" } }, ...more };
}

describe("a run without a valid answer", () => {
  it("leaves what was thought where nothing else was said", async () => {
    const thinking = { text: "", reasoning: "Let me count: four" };
    await runScripted(BODY, [thinking, "{}", "{}"], options());
    const { open } = await readDeadLetters(file);
    const [first, second] = open[0]?.attempts ?? [];
    expect(first).toMatchObject({ code: "thinking-only", text: "", reasoning: thinking.reasoning });
    expect(second).not.toHaveProperty("reasoning");
  });

  it("leaves its input, its refused replies and what it cost in the dead letters", async () => {
    const settings = { id: "run-1", origin: { row: 7 } };
    const run = await runScripted(BODY, () => '{"count": "four"}', options({ settings }));
    expect(run.outcome).toMatchObject({ outcome: "failed", fault: { code: "output-invalid" } });
    const { open, broken } = await readDeadLetters(file);
    expect(broken).toEqual([]);
    expect(open).toMatchObject([
      {
        v: 1,
        kind: "dead-letter",
        id: "run-1",
        spec: "promise",
        outcome: "failed",
        code: "output-invalid",
        input: { task: "Count.", inputs: { comment: "four boxes" } },
        origin: { row: 7 },
        schemaHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        modelCalls: 3,
        usage: run.outcome.spending.usage,
      },
    ]);
    expect(open[0]?.attempts.map(({ key, model, code }) => [key, model, code])).toEqual([
      ["run/direct:0/generate:0", "stub/model", "output-invalid"],
      ["run/direct:0/generate:0.repair:1", "stub/model", "output-invalid"],
      ["run/direct:0/generate:0.repair:2", "stub/model", "output-invalid"],
    ]);
    expect(open[0]?.attempts[0]).toMatchObject({
      text: '{"count": "four"}',
      finishReason: "stop",
      message: expect.stringContaining('`count` is "four"'),
    });
    expect(eventNames(run.events).slice(-2)).toEqual(["output.dead-lettered", "run.end"]);
    const told = run.events.find(({ name }) => name === "output.dead-lettered");
    expect(told?.data).toEqual({
      file: "dead/letters.jsonl",
      code: "output-invalid",
      attempts: 3,
    });
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("appends to what is there, and keeps the last twenty replies, cut where they are long", async () => {
    const long = "x".repeat(70_000);
    await runScripted(BODY, () => "none", options());
    const many = BODY.replace(
      "direct\n",
      "{ loop: { maxRounds: 12, until: answer.revision > 99, do: direct } }\n",
    );
    let count = 0;
    await runScripted(
      many,
      () => (++count % 3 === 0 && count < 30 ? '{"count": 4}' : long),
      options(),
    );
    const { open } = await readDeadLetters(file);
    expect(open.map(({ attempts }) => attempts.length)).toEqual([3, 20]);
    const texts = open[1]?.attempts.map(({ text }) => text) ?? [];
    expect(texts.every((text) => text.length < 64_100 && text.startsWith("xxx"))).toBe(true);
  });

  it("holds no secret", async () => {
    const secret = "sesame-open-4711";
    const env = { VAULT: secret };
    const body = `tools: { vault: { use: http-get, url: http://localhost/, headers: { key: "\${secret:VAULT}" } } }\n${BODY}`;
    const input = { inputs: { comment: `the key is ${secret}` } };
    await runScripted(body, () => `it is ${secret}`, options({ env, input }));
    const text = await readFile(file, "utf8");
    expect(text).toContain("[redacted]");
    expect(text).not.toContain(secret);
  });

  it("is written where a limit ends it without a value", async () => {
    const body = `${BODY}limits: { modelCalls: 2 }\n`;
    const run = await runScripted(body, () => "none", options());
    expect(run.outcome).toMatchObject({ outcome: "limited", value: null });
    expect((await readDeadLetters(file)).open).toMatchObject([
      { outcome: "limited", code: "limit-model-calls" },
    ]);
  });

  it("goes where the caller says", async () => {
    const own = join(root, "own.jsonl");
    const settings = { deadLetter: own };
    await runScripted(BODY, () => "none", options({ settings }));
    expect((await readDeadLetters(own)).open).toHaveLength(1);
    expect((await readDeadLetters(file)).open).toEqual([]);
  });

  it("ends as it would where the file can't be written, and that is told", async () => {
    const onRun = (): void => writeFileSync(join(root, "dead"), "a file where a folder belongs");
    const run = await runScripted(BODY, () => "none", options({ onRun }));
    expect(run.outcome).toMatchObject({ outcome: "failed", fault: { code: "output-invalid" } });
    expect(run.events.find(({ name }) => name === "sink.failed")?.data).toMatchObject({
      sink: "deadLetter",
      message: expect.stringContaining("can't be written"),
    });
    expect(eventNames(run.events)).not.toContain("output.dead-lettered");
  });
});

describe("no dead letter is written", () => {
  it("for an answer, also one that says that the task can't be done", async () => {
    await runScripted(BODY, ["none", '{"count": 4}'], options());
    const unsolvable = { solvable: false, unsolvableReason: "nobody counted" };
    await runScripted(BODY, [{ json: unsolvable }], options());
    expect((await readDeadLetters(file)).open).toEqual([]);
  });

  it("for a run that was aborted", async () => {
    const abort = new AbortController();
    const run = await runScripted(
      BODY,
      () => {
        abort.abort();
        return "none";
      },
      options({ settings: { signal: abort.signal } }),
    );
    expect(run.outcome.outcome).toBe("aborted");
    expect((await readDeadLetters(file)).open).toEqual([]);
  });
});
