import { createApp, type RunEvent } from "@loopwright/core";
import { scriptedProvider } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import {
  builtIn,
  calling,
  packageOf,
  runScripted,
  specOf,
  toolOf,
} from "../promises/run-scripted.ts";

const TASK =
  "task: What happens to the pressure of a gas at twice the temperature and eight times the volume?\n";

/** What a request asks last. */
function asked({ messages }: { readonly messages: readonly object[] }): string {
  return (messages.at(-1) as { readonly text: string }).text;
}

/** What strategies told of themselves. */
function factsOf(events: readonly RunEvent[]) {
  return events.flatMap((event) => (event.name === "fact.told" ? [event.data] : []));
}

describe("step-back", () => {
  it("finds the principles behind the task, and answers with them", async () => {
    const { outcome, events, requests } = await runScripted(`${TASK}strategy: step-back\n`, [
      "Ideal gas law: PV = nRT",
      "P = nRT / V, so 2 / 8.\nIt falls to a quarter.",
    ]);
    expect(outcome).toMatchObject({
      outcome: "done",
      answer: { text: "It falls to a quarter.", reasoning: "P = nRT / V, so 2 / 8." },
    });
    expect(outcome.state.results["step-back"]?.value).toEqual({
      question: "",
      known: "Ideal gas law: PV = nRT",
    });
    expect(asked(requests[0]!)).toContain("Take a step back");
    expect(asked(requests[1]!)).toContain("## Principles behind the task\nIdeal gas law");
    expect(eventNames(events, { without: ["model-call.delta"] })).toEqual([
      "run.start",
      "stage.start step-back",
      "model-call.start",
      "model-call.end",
      "fact.told",
      "model-call.start",
      "model-call.end",
      "answer.given",
      "stage.end step-back",
      "run.end",
    ]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("or asks a more general question and answers it first", async () => {
    const { outcome, events, requests } = await runScripted(
      `${TASK}strategy: { step-back: { abstraction: question } }\noutput: { fields: { factor: number } }\n`,
      ["How does a gas behave?", "PV = nRT", { json: { reasoning: "2 / 8", factor: 0.25 } }],
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { value: { factor: 0.25 } } });
    expect(asked(requests[1]!)).toContain("How does a gas behave?");
    expect(asked(requests[2]!)).toContain("PV = nRT");
    const voices = events.flatMap((event) =>
      event.name === "model-call.start" ? [event.data.voice] : [],
    );
    expect(voices).toEqual(["abstract", "know", "answer"]);
  });

  it("leaves the general question open near a limit, and tells it", async () => {
    const { outcome, requests, events } = await runScripted(
      `${TASK}strategy: [direct, { direct: { id: b } }, { direct: { id: c } }, { step-back: { abstraction: question } }]\nlimits: { modelCalls: 6 }\n`,
      ["draft", "draft", "draft", "How does a gas behave?", "A quarter."],
    );
    expect(outcome.answer.text).toBe("A quarter.");
    expect(requests).toHaveLength(5);
    expect(outcome.reason).toContain("the general question was left open");
    expect(factsOf(events)).toMatchObject([
      { fact: "question.unanswered", data: { reason: "a limit was near" } },
    ]);
    expect(asked(requests[4]!)).toContain("How does a gas behave?");
    expect(asked(requests[4]!)).not.toContain("What is known about it");
  });

  it("leaves out what is blank, with its heading, and tells it", async () => {
    const principles = await runScripted(`${TASK}strategy: step-back\n`, ["  ", "A quarter."]);
    expect(factsOf(principles.events)).toMatchObject([{ fact: "abstraction.blank" }]);
    expect(asked(principles.requests[1]!)).not.toContain("Principles behind");
    const spec = `${TASK}strategy: { step-back: { abstraction: question } }\n`;
    const question = await runScripted(spec, [" ", "A quarter."]);
    expect(factsOf(question.events)).toMatchObject([{ fact: "abstraction.blank" }]);
    expect(question.requests.map(({ voice }) => voice)).toEqual(["abstract", "answer"]);
    expect(asked(question.requests[1]!)).not.toContain("general question");
    const unknown = await runScripted(spec, ["How does a gas behave?", " ", "A quarter."]);
    expect(factsOf(unknown.events)).toMatchObject([{ fact: "question.unanswered" }]);
    expect(asked(unknown.requests[2]!)).toMatch(
      /behind the task\nHow does a gas behave\?\n\nNow do/,
    );
  });

  it("takes prompts of the spec by voice, with what it binds", async () => {
    const { requests } = await runScripted(
      `${TASK}strategy:
  step-back:
    abstraction: question
    prompt: { abstract: "Step back!", know: "Facts: {{ question }}", answer: "{{ question }} | {{ known }}" }
`,
      ["Q?", "K", "A"],
    );
    expect(requests.map(asked)).toEqual(["Step back!", "Facts: Q?", "Q? | K"]);
  });

  it("speaks Chinese in a Chinese spec", async () => {
    const { requests } = await runScripted(
      "language: zh\ntask: 气体的压强怎样变化？\nstrategy: step-back\n",
      ["PV = nRT", "降到四分之一。"],
    );
    expect(asked(requests[0]!)).toContain("退一步想");
    expect(asked(requests[1]!)).toContain("任务背后的原理");
  });

  it("fails with the call that fails", async () => {
    const { outcome } = await runScripted(`${TASK}strategy: step-back\n`, [
      { error: { code: "provider-failed", message: "down" } },
    ]);
    expect(outcome).toMatchObject({ outcome: "failed", reason: "down" });
  });
});

describe("step-back with a stage in `do`", () => {
  const stock = toolOf("stock", (item) => `${item}: 4`);
  const spec = "tools: [stock]\nstrategy: { step-back: { do: { react: { maxSteps: 3 } } } }\n";

  it("looks the general question up, and answers with what it found", async () => {
    const { outcome, requests, events } = await runScripted(
      spec,
      (request) => {
        if (request.stage === "react")
          return request.messages.at(-1)?.role === "tool" ? "4 nuts" : calling("stock", "nut");
        return asked(request).includes("step back") ? "What is in stock?" : "Four.";
      },
      { plugins: [stock] },
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "Four." } });
    expect(outcome.state.observations).toHaveLength(1);
    expect(asked(requests[1]!)).toContain("What is in stock?");
    expect(asked(requests[1]!)).not.toContain("Find out how much");
    expect(asked(requests.at(-1)!)).toMatch(/known about it\n4 nuts[\s\S]*step by step/);
    expect(events.filter(({ name }) => name.startsWith("answer."))).toHaveLength(2);
    expect(unbalanced(events)).toEqual([]);
  });

  it("goes on without what it can't find, and tells it", async () => {
    const { outcome, events, requests } = await runScripted(
      spec,
      (request) =>
        request.stage === "react"
          ? { error: { code: "provider-failed", message: "down" } }
          : "What is in stock?",
      { plugins: [stock] },
    );
    expect(outcome.outcome).toBe("done");
    expect(events.filter(({ name }) => name === "fact.told")).toMatchObject([
      { data: { fact: "question.unanswered", data: { reason: "down" } } },
    ]);
    expect(asked(requests.at(-1)!)).not.toContain("What is known about it");
  });

  it("takes the place of the voice that would answer the question, whose prompt then has no effect", async () => {
    const warnings = async (rest: string) => {
      const strategy = `strategy: { step-back: { abstraction: question${rest}, prompt: { know: "Say {{ question }}" } } }\n`;
      const plugins = [...builtIn, packageOf([scriptedProvider("stub", [])])];
      const app = await createApp({ plugins, discovery: false, env: {} });
      const { diagnostics } = await app.check({ text: specOf(strategy) });
      await app.close();
      return diagnostics.filter(({ code }) => code === "LW-MODEL-SILENT-VOICE");
    };
    expect(await warnings("")).toEqual([]);
    expect(await warnings(", do: direct")).toMatchObject([
      { message: expect.stringContaining("speaks as abstract, answer only") },
    ]);
  });

  it("is refused beside principles, which ask nothing", async () => {
    await expect(
      runScripted("strategy: { step-back: { abstraction: principles, do: direct } }\n", []),
    ).rejects.toThrow(/asks no question that `do` could answer/);
  });
});
