import { readFileSync } from "node:fs";
import type { RunEvent } from "@loopwright/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);
const TEXT = "tools: [stock]\nstrategy: { react: { mode: text, maxSteps: 5 } }\n";

function run(replies: readonly string[], body: string = TEXT): Promise<ScriptedRun> {
  return runScripted(body, replies, { plugins: [stock] });
}

function factsOf(events: readonly RunEvent[], fact: string): readonly unknown[] {
  return events.flatMap((event) =>
    event.name === "fact.told" && event.data.fact === fact ? [event.data.data] : [],
  );
}

describe("the text protocol", () => {
  it("asks for labelled fields, stops at a result, and switches the thinking of the server off", async () => {
    const { requests } = await run(["Final Answer: 4"]);
    const [request] = requests;
    const system = request?.messages[0]?.text ?? "";
    for (const label of [
      "Question",
      "Thought:",
      "Action:",
      "Action Input:",
      "Observation",
      "Final Answer:",
    ])
      expect(system).toContain(label);
    expect(request?.sampling).toEqual({
      stop: ["\nObservation:", "\nObservation：", "\n观察：", "\n观察:"],
      effort: "none",
    });
  });

  it("speaks Chinese where the spec does, and reads both languages", async () => {
    const body = `language: zh\n${TEXT}`;
    const replies = [
      "思考：先查库存\n行动：stock\n行动输入：nut",
      "Thought: enough\nFinal Answer: 4 个",
    ];
    const { requests, outcome } = await run(replies, body);
    const system = requests[0]?.messages[0]?.text ?? "";
    for (const label of ["思考：", "行动：", "行动输入：", "最终答案："])
      expect(system).toContain(label);
    expect(system).not.toContain("Thought:");
    expect(requests[1]?.messages.at(-1)?.text).toMatch(/^观察：\n<observation id="observation-1"/);
    expect(outcome.answer.text).toBe("4 个");
  });

  it("gives plain words to the only text that a tool takes", async () => {
    const { outcome } = await run(["Action: stock\nAction Input: nut", "Final Answer: 4"]);
    expect(outcome.state.observations).toMatchObject([
      { input: { item: "nut" }, content: "nut: 4" },
    ]);
  });

  it.each([
    "Action: 无\nFinal Answer: 4",
    "行动：无\n最终答案：4",
    "Action: none\nFinal Answer: 4",
  ])("takes %j for the end", async (reply) => {
    const { outcome, requests } = await run([reply]);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(requests).toHaveLength(1);
  });

  it("cuts a made-up result, and keeps nothing of it", async () => {
    const { outcome, requests } = await run([
      "Thought: look\nAction: stock\nAction Input: nut\nObservation: 1000 nuts\nThought: rich\nFinal Answer: 1000",
      "Final Answer: 4 [observation-1]",
    ]);
    expect(outcome.state.observations).toMatchObject([{ content: "nut: 4" }]);
    expect(JSON.stringify(requests[1]?.messages)).not.toContain("1000");
    expect(outcome.answer).toMatchObject({ evidence: ["observation-1"] });
  });

  it("cuts a made-up result out of a reply that can't be read too", async () => {
    const { requests } = await run([
      "Action Input: nut\nObservation: 1000 nuts",
      "Final Answer: 4",
    ]);
    const said = requests[1]?.messages.flatMap(({ role, text }) =>
      role === "assistant" ? [text] : [],
    );
    expect(said).toEqual(["Action Input: nut"]);
  });
});

describe("a reply with more than one step", () => {
  const TWO = "Thought: both\nAction: stock\nAction Input: nut\nAction: stock\nAction Input: bolt";

  it("has its first action executed, and the model is told so", async () => {
    const { outcome, requests, events } = await run([TWO, "Final Answer: 4"]);
    expect(outcome.state.observations).toMatchObject([{ content: "nut: 4" }]);
    expect(requests[1]?.messages.at(-1)?.text).toContain(
      "</observation>\n\nOnly the first action of your reply was executed",
    );
    expect(factsOf(events, "format.dropped")).toEqual([{ mode: "text", dropped: ["later-step"] }]);
  });

  it("has a made-up result dropped, and that is a fact", async () => {
    const { events } = await run([
      "Action: stock\nAction Input: nut\nObservation: 1000 nuts",
      "Final Answer: 4",
    ]);
    expect(factsOf(events, "format.dropped")).toEqual([{ mode: "text", dropped: ["observation"] }]);
  });
});

describe("a reply that can't be read", () => {
  const LOST = "I wonder about nuts.";

  it("is answered like a result that is none, and the step is lost", async () => {
    const { outcome, requests, events } = await run([LOST, "Final Answer: 4"]);
    expect(requests[1]?.messages.at(-1)?.text).toMatch(
      /^Observation: your reply could not be read: .*no Action/,
    );
    expect(factsOf(events, "format.rejected")).toMatchObject([{ mode: "text", count: 1 }]);
    expect(outcome.state.observations).toEqual([]);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
  });

  it("ends the stage where it is the second in a row: the next step is the answer", async () => {
    const { outcome, requests, events } = await run([LOST, LOST, "Final Answer: 4"]);
    expect(requests).toHaveLength(3);
    expect(requests[2]?.messages.at(-1)?.text).toContain("Tools are off now.");
    expect(factsOf(events, "format.rejected")).toMatchObject([{ count: 1 }, { count: 2 }]);
    expect(outcome.answer.text).toBe("4");
    expect(outcome.reason).toContain("2 replies in a row could not be used");
  });

  it("that calls a tool in another form is told how to write the call", async () => {
    const native = { text: "", calls: [{ name: "stock", arguments: { item: "nut" } }] };
    const { requests, outcome } = await runScripted(TEXT, [native, { text: "Final Answer: 4" }], {
      plugins: [stock],
    });
    const told = requests[1]?.messages.at(-1)?.text;
    expect(told).toContain("write the call as Action and Action Input");
    expect(told).not.toContain("the reply is empty");
    expect(outcome.answer.text).toBe("4");
  });

  it("counts from one again after a step", async () => {
    const call = "Action: stock\nAction Input: nut";
    const { outcome } = await run([LOST, call, LOST, "Final Answer: 4"]);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(outcome.reason).toBeUndefined();
  });
});

describe("a typed answer in text", () => {
  const TYPED = `${TEXT}output: { fields: { count: integer } }\n`;
  const FOUR =
    'Final Answer: {"count": 4, "evidence": [], "solvable": true, "unsolvableReason": null}';

  it("is said in the system message, and read behind its label", async () => {
    const { outcome, requests } = await run([FOUR], TYPED);
    expect(requests[0]?.messages[0]?.text).toContain("count");
    expect(requests[0]?.output).toBeUndefined();
    expect(outcome).toMatchObject({ outcome: "done", answer: { value: { count: 4 } } });
  });

  it("that does not fit is fed back", async () => {
    const { outcome, requests } = await run(['Final Answer: {"count": "many"}', FOUR], TYPED);
    expect(requests[1]?.messages.at(-1)?.text).toContain("`count`");
    expect(outcome).toMatchObject({ answer: { value: { count: 4 } } });
  });

  it("is asked for on the last step in one form alone: an object without labels", async () => {
    const body = TYPED.replace("maxSteps: 5", "maxSteps: 2");
    const plain = '{"count": 4, "evidence": [], "solvable": true, "unsolvableReason": null}';
    const { requests, outcome } = await run(["Action: stock\nAction Input: nut", plain], body);
    const last = requests[1];
    const said = (last?.messages ?? []).map(({ text }) => text).join("\n");
    expect(last?.output).toBeDefined();
    expect(last?.sampling.stop).toBeUndefined();
    expect(said).not.toContain("Final Answer");
    const form = requests[0]?.messages[0]?.text.split("\n").at(-1) ?? "";
    expect(form).not.toBe("");
    expect(said.split(form).length).toBeLessThanOrEqual(2);
    expect(outcome).toMatchObject({ outcome: "done", answer: { value: { count: 4 } } });
  });

  it("is asked for by core on the last step, which repairs it", async () => {
    const body = TYPED.replace("maxSteps: 5", "maxSteps: 1");
    const { outcome, requests, events } = await run(["Final Answer: many", FOUR], body);
    expect(requests).toHaveLength(2);
    expect(requests[0]?.output).toBeDefined();
    expect(events.filter(({ name }) => name === "output.rejected")).toHaveLength(1);
    expect(outcome).toMatchObject({ outcome: "done", answer: { value: { count: 4 } } });
  });
});

/** Replies that were collected from real runs and reports; see `fixtures/malformed/SOURCE.md`. */
const corpus: readonly string[] = readFileSync(
  new URL("../../../../fixtures/malformed/react.jsonl", import.meta.url),
  "utf8",
)
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => (JSON.parse(line) as { readonly input: string }).input);

describe("whatever a model writes", () => {
  it("the stage ends once, with a text or a fault, within its bounds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...corpus, ""), { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (replies, maxSteps) => {
          let asked = 0;
          const { outcome, events } = await runScripted(
            `tools: [stock]\nstrategy: { react: { mode: text, maxSteps: ${maxSteps} } }\n`,
            () => ({ text: replies[asked++ % replies.length] ?? "" }),
            { plugins: [stock] },
          );
          expect(["done", "failed", "limited"]).toContain(outcome.outcome);
          expect(outcome.answer.text).not.toBe("");
          const steps = events.filter(({ name }) => name === "step.start").length;
          expect(steps).toBeLessThanOrEqual(maxSteps);
          const calls = events.filter(({ name }) => name === "tool-call.start").length;
          expect(calls).toBeLessThanOrEqual(maxSteps - 1);
          expect(unbalanced(events)).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });
});
