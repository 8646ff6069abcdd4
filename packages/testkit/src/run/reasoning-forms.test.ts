import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const separate = "output: { reasoning: separate, fields: { count: integer } }\n";
const free = "output: { reasoning: free, fields: { count: integer } }\n";
const thought = "Two shelves hold two boxes each, so there are four.";

describe("reasoning in a call of its own", () => {
  it("is free text without a schema, and the fields are written from it", async () => {
    const run = await runScripted(`strategy: direct\n${separate}`, [
      thought,
      { json: { count: 4 } },
    ]);
    expect(run.outcome).toMatchObject({
      outcome: "done",
      value: { count: 4 },
      answer: { reasoning: thought },
    });
    expect(run.outcome.spending.modelCalls).toBe(2);
    const [first, second] = run.requests;
    expect(first?.output).toBeUndefined();
    expect(first?.messages[0]?.text).toContain("`count`");
    expect(second?.output).toMatchObject({ name: "answer", layer: "json-schema" });
    expect(second?.messages.slice(0, -2)).toEqual(first?.messages);
    expect(second?.messages.at(-2)).toMatchObject({ role: "assistant", text: thought });
    expect(second?.messages.at(-1)?.text).toMatch(/count: required.*\n[^]*solvable/);
    expect(run.requests.map(({ key }) => key)).toEqual([
      "run/direct:0/generate:0",
      "run/direct:0/generate:0.fields",
    ]);
    expect(run.events.filter(({ name }) => name === "model-call.end")).toHaveLength(2);
  });

  it("never costs more calls than the bounds say, whatever is repaired", async () => {
    const texts = ["", thought, "no fields"];
    const run = await runScripted(`strategy: direct\n${separate}`, () => texts.shift() ?? "");
    expect(run.outcome).toMatchObject({ outcome: "failed", fault: { code: "output-invalid" } });
    expect(run.requests).toHaveLength(3);
  });

  it("lets a stage act first: tools come before the thought", async () => {
    const body = `tools: [stock]\nstrategy: { react: { maxSteps: 3 } }\n${separate}`;
    const run = await runScripted(
      body,
      [calling("stock", "box"), thought, { json: { count: 4 } }],
      {
        plugins: [toolOf("stock", () => "4")],
      },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(run.requests.map(({ tools }) => tools.length)).toEqual([1, 1, 0]);
  });

  it("is left out of a refusal", async () => {
    const run = await runScripted(`strategy: direct\n${separate}`, [{ refusal: "I can't." }]);
    expect(run.requests).toHaveLength(1);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { solvable: false } });
  });

  it("leads to the way out too", async () => {
    const run = await runScripted(`strategy: direct\n${separate}`, [
      "Nobody has counted them.",
      { json: { solvable: false, unsolvableReason: "nobody has counted" } },
    ]);
    expect(run.outcome).toMatchObject({
      outcome: "done",
      value: null,
      answer: { solvable: false, unsolvableReason: "nobody has counted" },
    });
  });
});

describe("reasoning in free text before the fields", () => {
  it.each([
    ["a line of its own", `${thought}\n\nANSWER:\n{"count": 4}`],
    ["a heading", `${thought}\n\n## **ANSWER:**\n\`\`\`json\n{"count": 4}\n\`\`\``],
    ["the same line", `${thought}\nANSWER: {"count": 4}`],
    ["another language", `${thought}\n答案：{"count": 4}`],
  ])("ends at %s", async (_name, text) => {
    const run = await runScripted(`strategy: direct\n${free}`, [text]);
    expect(run.outcome).toMatchObject({
      outcome: "done",
      value: { count: 4 },
      answer: { reasoning: thought },
    });
    expect(run.requests).toHaveLength(1);
  });

  it("may hold objects of other forms; only what stands last is the answer", async () => {
    const text =
      'A first try: {"count": "many"}.\nANSWER: {"count": 3}\nWait.\nANSWER: {"count": 4}';
    const run = await runScripted(`strategy: direct\n${free}`, [text]);
    expect(run.outcome).toMatchObject({ value: { count: 4 } });
  });

  it("is asked for in words, and nothing is constrained on the wire", async () => {
    const run = await runScripted(`strategy: direct\n${free}`, ['ANSWER: {"count": 4}']);
    expect(run.requests[0]?.output?.layer).toBe("prompt");
    expect(run.requests[0]?.messages[0]?.text).toMatch(/`ANSWER:`[^]*count: required/);
  });

  it("is no answer where the fields do not fit", async () => {
    const run = await runScripted(`strategy: direct\n${free}`, [
      `${thought}\nANSWER: {"count": "four"}`,
      `${thought}\nANSWER: {"count": 4}`,
    ]);
    expect(run.outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(run.requests[1]?.messages.at(-1)?.text).toContain('`count` is "four"');
  });
});
