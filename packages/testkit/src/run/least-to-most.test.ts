import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const TASK = `task: >-
  It takes Amy 4 minutes to climb a slide and 1 minute to go down. It closes in 15 minutes. How many times can she slide?
`;
const trip = "How long does one trip take?";
const whole = "How many times can she slide?";
const split = (...subquestions: readonly string[]) => ({
  json: { subquestions: [...subquestions] },
});

/** What a request asks last. */
function asked({ messages }: { readonly messages: readonly object[] }): string {
  return (messages.at(-1) as { readonly text: string }).text;
}

const calls = ["model-call.start", "model-call.delta", "model-call.end"] as const;

describe("least-to-most", () => {
  it("answers easier questions in order, each with the answers before it, and the task last", async () => {
    const { outcome, events, requests } = await runScripted(
      `${TASK}strategy: { least-to-most: {} }\n`,
      [split(trip, whole), "4 + 1 = 5 minutes", "15 / 5 = 3\n3"],
    );
    expect(outcome).toMatchObject({
      outcome: "done",
      answer: { text: "3", reasoning: "15 / 5 = 3" },
    });
    expect(outcome.state.results["least-to-most"]?.value).toEqual([
      { question: trip, answer: "4 + 1 = 5 minutes" },
      { question: whole, answer: "3" },
    ]);
    expect(asked(requests[0]!)).toContain("at most 8");
    expect(asked(requests[1]!)).toContain(trip);
    expect(asked(requests[1]!)).not.toContain("Answered so far");
    expect(asked(requests[2]!)).toContain(`Question: ${trip}\n   Answer: 4 + 1 = 5 minutes`);
    expect(eventNames(events, { without: calls })).toEqual([
      "run.start",
      "stage.start least-to-most",
      "fact.told",
      "step.start",
      "step.end",
      "step.start",
      "answer.given",
      "step.end",
      "stage.end least-to-most",
      "run.end",
    ]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("solves a task without easier parts step by step, in two calls", async () => {
    const { outcome, requests } = await runScripted(`${TASK}strategy: least-to-most\n`, [
      split(),
      "3",
    ]);
    expect(outcome.answer.text).toBe("3");
    expect(requests).toHaveLength(2);
    expect(asked(requests[1]!)).toContain("step by step");
  });

  it("cuts questions above the maximum and tells it", async () => {
    const { events, requests } = await runScripted(
      `${TASK}strategy: { least-to-most: { maxSubquestions: 3 } }\n`,
      [split("a?", "b?", "c?", "d?", whole), "a", "b", "3"],
    );
    expect(requests).toHaveLength(4);
    expect(events.filter(({ name }) => name === "fact.told")).toMatchObject([
      { data: { fact: "items.left-out", data: { count: 2, maxItems: 3 } } },
      { data: { fact: "subquestions.planned", data: { questions: ["a?", "b?", whole] } } },
    ]);
  });

  it("gives a typed answer at the last question alone", async () => {
    const { outcome, requests } = await runScripted(
      `${TASK}strategy: least-to-most\noutput: { fields: { times: integer } }\n`,
      [split(trip, whole), "5 minutes", { json: { reasoning: "15 / 5", times: 3 } }],
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { value: { times: 3 } } });
    expect(requests.map(({ output }) => output?.name ?? "text")).toEqual([
      "reply",
      "text",
      "answer",
    ]);
  });

  it("comes to the question of the task when a limit is near, and says what is known", async () => {
    const { outcome, requests, events } = await runScripted(
      `${TASK}strategy: least-to-most\nlimits: { modelCalls: 6 }\n`,
      (request) => (request.output === undefined ? "x" : split("a?", "b?", "c?", "d?", whole)),
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "x" } });
    const pairs = outcome.state.results["least-to-most"]?.value as readonly object[];
    expect(pairs.at(-1)).toEqual({ question: whole, answer: "x" });
    expect(requests).toHaveLength(5);
    expect(pairs).toHaveLength(4);
    expect(outcome.reason).toContain("left questions unanswered, because a limit was near: 1");
    expect(events.filter(({ name }) => name === "fact.told")).toMatchObject([
      { data: { fact: "subquestions.planned" } },
      { data: { fact: "items.left-out", data: { count: 1 } } },
    ]);
  });

  it("keeps the pairs before a call that fails", async () => {
    const { outcome } = await runScripted(`${TASK}strategy: least-to-most\n`, [
      split(trip, whole),
      "5 minutes",
      { error: { code: "provider-failed", message: "down" } },
    ]);
    expect(outcome).toMatchObject({ outcome: "failed", reason: "down" });
    expect(outcome.state.results["least-to-most"]?.value).toEqual([
      { question: trip, answer: "5 minutes" },
    ]);
  });

  it("says other words where a spec replaces the prompt of a voice, with the names that it binds", async () => {
    const { requests } = await runScripted(
      `${TASK}strategy:
  least-to-most:
    prompt:
      decompose: "Split into {{ max }}."
      solve: "Q: {{ question }}{{# solved }} [{{ item.question }} {{ item.answer }}]{{/ solved }}"
`,
      [split("a?", whole), "A", "3"],
    );
    expect(requests.map(asked)).toEqual(["Split into 8.", "Q: a?", `Q: ${whole} [a? A]`]);
  });

  it("speaks Chinese in a Chinese spec", async () => {
    const { requests } = await runScripted(
      "language: zh\ntask: 她能滑几次？\nstrategy: least-to-most\n",
      [split("一次要多久？"), "五分钟", "三次"],
    );
    expect(asked(requests[0]!)).toContain("先不要做这个任务");
    expect(asked(requests[0]!)).toContain("按依赖的先后顺序写出来");
    expect(asked(requests[2]!)).toContain("问题：一次要多久？");
  });
});

describe("least-to-most with a stage in `do`", () => {
  const stock = toolOf("stock", (item) => `${item}: 4`);

  it("gives it each question as its task, and keeps what its tools found", async () => {
    const { outcome, events, requests } = await runScripted(
      `tools: [stock]
strategy: { least-to-most: { do: { react: { maxSteps: 3 } } } }
`,
      (request) => {
        if (request.stage === "least-to-most") return split("How many nuts?");
        if (request.messages.at(-1)?.role === "tool") return "4 nuts [x]";
        return asked(request).includes("How many nuts?\n\nAnswer this question alone")
          ? calling("stock", "nut")
          : "all in all 4";
      },
      { plugins: [stock] },
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "all in all 4" } });
    expect(outcome.state.observations.map(({ id }) => id)).toEqual(["question:1.observation-1"]);
    expect(outcome.state.results["least-to-most"]?.value).toMatchObject([
      { question: "How many nuts?", answer: "4 nuts [x]" },
      { answer: "all in all 4" },
    ]);
    expect(asked(requests.at(-1)!)).toContain("Answer: 4 nuts [x]");
    expect(unbalanced(events)).toEqual([]);
  });

  it("goes on after a question that was not answered, and fails at the last", async () => {
    const down = { error: { code: "provider-failed", message: "down" } } as const;
    const spec = "strategy: { least-to-most: { do: direct } }\n";
    const { outcome, requests } = await runScripted(spec, [split("a?"), down, "done"]);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "done" } });
    expect(asked(requests[2]!)).toContain("not solved: down");
    const failed = await runScripted(spec, [split("a?"), "A", down]);
    expect(failed.outcome).toMatchObject({ outcome: "failed" });
    expect(failed.outcome.reason).toContain("the last question: down");
  });

  it("tells what was left out when a limit is near, where `do` gives the answer too", async () => {
    const { outcome, events } = await runScripted(
      "strategy: { least-to-most: { do: direct } }\nlimits: { modelCalls: 6 }\n",
      (request) => (request.output === undefined ? "x" : split("a?", "b?", "c?", "d?")),
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "x" } });
    expect(outcome.reason).toContain("left questions unanswered");
    expect(events.filter(({ name }) => name === "fact.told")).toMatchObject([
      { data: { fact: "subquestions.planned" } },
      { data: { fact: "items.left-out" } },
    ]);
  });

  it("bounds a for-each over its pairs", async () => {
    const { outcome, events } = await runScripted(
      `strategy:
  - least-to-most: { id: parts, maxSubquestions: 4 }
  - for-each: { id: each, in: results.parts.value, item: pair, task: "Check {{ pair.answer }}.", do: direct }
  - direct: { id: sum, prompt: "{{# results.each }}{{ item.text }};{{/ results.each }}" }
`,
      (request) => (request.output === undefined ? asked(request).slice(-9) : split("a?")),
    );
    expect(outcome.outcome).toBe("done");
    expect(eventNames(events, { without: calls })).toContain("stage.start each");
  });
});
