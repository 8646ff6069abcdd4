import type { RunEvent } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";
import { layeredModel } from "./layered-model.ts";
import { planOf, step } from "./plan-drafts.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);
const BODY =
  "tools: [stock]\nstrategy: { react: { mode: structured, maxSteps: 5, maxCallsPerStep: 2 } }\n";

function run(replies: readonly (object | string)[], body: string = BODY): Promise<ScriptedRun> {
  const texts = replies.map((reply) => (typeof reply === "string" ? reply : JSON.stringify(reply)));
  return runScripted(body, texts, { plugins: [stock] });
}

function dataOf(events: readonly RunEvent[], name: RunEvent["name"]): readonly unknown[] {
  return events.flatMap((event) => (event.name === name ? [event.data] : []));
}

const call = (item: string): object => ({ tool: "stock", arguments: `{"item":"${item}"}` });
const FOUR = { thought: "", final: { answer: "4", evidence: [] } };

describe("a step as one object", () => {
  it("makes one generation, and several calls", async () => {
    const { requests, outcome } = await run([
      { thought: "both", calls: [call("nut"), call("bolt")] },
      FOUR,
    ]);
    expect(requests).toHaveLength(2);
    expect(outcome.state.observations.map(({ content }) => content)).toEqual(["nut: 4", "bolt: 4"]);
    const told = requests[1]?.messages.at(-1);
    expect(told?.role).toBe("user");
    expect(told?.text).toMatch(
      /^Results of the step:\n<observation id="observation-1".*\n.*\n<\/observation>\n<observation id="observation-2"/,
    );
  });

  it("says what was weighed, and what was chosen", async () => {
    const considered = [{ option: "ask the person", reason: "the stock tells more" }];
    const { events } = await run([{ thought: "look", considered, calls: [call("nut")] }, FOUR]);
    expect(dataOf(events, "choice.made")).toEqual([{ chosen: "stock", considered }]);
  });

  it("takes the reasons of its calls for the thought where there is no other", async () => {
    const reasoned = { ...call("nut"), reason: "to count the nuts" };
    const { events } = await run([{ thought: "", calls: [reasoned] }, FOUR]);
    expect(dataOf(events, "thought.given")).toEqual([
      { text: "to count the nuts", isEvidence: false },
    ]);
  });

  it("takes calls before an answer beside them", async () => {
    const both = { thought: "", calls: [call("nut")], final: { answer: "9", evidence: [] } };
    const { outcome } = await run([both, FOUR]);
    expect(outcome.answer.text).toBe("4");
  });

  it("with neither is told so, and is a step that was lost", async () => {
    const { requests, outcome } = await run([{ thought: "hm" }, FOUR]);
    expect(requests[1]?.messages.at(-1)?.text).toContain("neither `calls` nor `final`");
    expect(outcome.answer.text).toBe("4");
  });

  it("names evidence, of which only what was observed counts", async () => {
    const final = { answer: "4", evidence: ["observation-1", "observation-7"] };
    const { outcome } = await run([
      { thought: "", calls: [call("nut")] },
      { thought: "", final },
    ]);
    expect(outcome).toMatchObject({ outcome: "done", answer: { evidence: ["observation-1"] } });
  });

  it("is repaired by core, and where that is in vain the stage ends with its answer", async () => {
    const { outcome, requests, events } = await run(["no", "no", "4, I think."]);
    expect(events.filter(({ name }) => name === "output.rejected")).toHaveLength(2);
    expect(requests.at(-1)?.messages.at(-1)?.text).toContain("Tools are off now.");
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "4, I think." } });
    expect(dataOf(events, "step.start")).toHaveLength(2);
  });
});

describe("the arguments of a call", () => {
  it.each([
    ["an object where the endpoint knows JSON alone", "json-mode", { item: "nut" }],
    [
      "text where it is held to a schema, in which objects are closed",
      "json-schema",
      '{"item":"nut"}',
    ],
  ] as const)("are %s", async (_name, structured, given) => {
    const { plugin, requests } = layeredModel(
      { tools: false, structured, dialect: "openai" },
      ({ messages }) =>
        JSON.stringify(
          messages.some(({ role }) => role === "assistant")
            ? FOUR
            : { thought: "", calls: [{ tool: "stock", arguments: given }] },
        ),
    );
    const { outcome, events } = await runScripted(
      "model: layered/m\ntools: [stock]\nstrategy: react\n",
      [],
      {
        plugins: [stock, plugin],
      },
    );
    expect(outcome.state.observations).toMatchObject([{ input: { item: "nut" } }]);
    expect(requests.map(({ output }) => output?.layer)).toEqual([structured, structured]);
    expect(dataOf(events, "constraint.lowered")).toEqual([]);
  });
});

describe("a typed answer in a step", () => {
  const TYPED = `${BODY}output: { fields: { count: integer } }\n`;

  it("is JSON text in the step, and is fed back where it does not fit", async () => {
    const final = (answer: string): object => ({ thought: "", final: { answer, evidence: [] } });
    const { outcome, requests } = await run(
      [final('{"count":"many"}'), final('{"count":4}')],
      TYPED,
    );
    expect(requests[1]?.messages.at(-1)?.text).toContain("`count`");
    expect(outcome).toMatchObject({ outcome: "done", answer: { value: { count: 4 } } });
  });

  it("is told its form once at the end", async () => {
    const { requests } = await run(
      ['{"count":4,"evidence":[],"solvable":true,"unsolvableReason":null}'],
      TYPED.replace("maxSteps: 5", "maxSteps: 1"),
    );
    const texts = (requests[0]?.messages ?? []).map(({ text }) => text).join("\n");
    expect(texts.split("- count: required, whole number")).toHaveLength(2);
  });
});

describe("words about the plan in a step", () => {
  const PLANNED = "tools: [stock]\nstrategy: [{ plan: {} }, { react: { mode: structured } }]\n";
  const ended = (id: string, status: string): object => ({
    step: id,
    status,
    evidence: [],
    because: "seen",
  });
  const final = { answer: "THE ANSWER", evidence: [] };

  function runPlanned(replies: readonly object[], body: string = PLANNED): Promise<ScriptedRun> {
    let plans = 0;
    const left = replies.map((reply) => JSON.stringify(reply));
    return runScripted(
      body,
      ({ stage }) =>
        stage === "plan"
          ? planOf(...((plans += 1) === 1 ? [step("a"), step("b")] : [step("c")]))
          : (left.shift() ?? JSON.stringify(FOUR)),
      { plugins: [stock] },
    );
  }

  it("stand beside the answer: both count", async () => {
    const { outcome, requests } = await runPlanned([
      { thought: "all done", plan: [ended("a", "done"), ended("b", "done")], final },
    ]);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "THE ANSWER" } });
    expect(outcome.state.plan.steps.map(({ status }) => status)).toEqual(["done", "done"]);
    expect(requests.filter(({ stage }) => stage === "react")).toHaveLength(1);
    expect(outcome.state.thread?.messages.at(-1)?.role).toBe("assistant");
  });

  it("that lead to another plan make the answer beside them too early", async () => {
    const { outcome, requests } = await runPlanned([
      { thought: "", plan: [ended("a", "failed")], final },
    ]);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(requests.at(-1)?.messages.at(-1)?.text).toContain("[c] do c");
  });

  it("let the answer beside them wait for a reflection, and roles alternate", async () => {
    const { outcome, requests } = await runPlanned(
      [
        { thought: "", calls: [call("nut")] },
        { thought: "", plan: [ended("a", "done")], final },
        FOUR,
      ],
      PLANNED.replace("[stock]", "[stock, reflection]"),
    );
    expect(outcome.answer.text).toBe("4");
    const last = requests.at(-1)?.messages ?? [];
    expect(last.at(-1)?.text).toMatch(/noted: a is done[\s\S]*before-final-answer/u);
    for (const [index, { role }] of last.entries()) expect(role).not.toBe(last[index + 1]?.role);
  });

  it("are asked for where there is a plan, and only there", async () => {
    const [, planned] = (await runPlanned([{ thought: "", final }])).requests;
    expect(planned?.messages[0]?.text).toContain("In `plan`, name each step of the plan that");
    const [bare] = (await run([FOUR])).requests;
    expect(bare?.messages[0]?.text).not.toContain("`plan`");
  });
});

describe("what is kept of an old text without its thought", () => {
  const PROSE = 'The request {"order": 7} was refused. Nobody may ship it before May.';
  const LISTED = '{"order": 7, "thought": "ship it"}';

  it.each([
    ["of a step, all but the thought", { thought: "hm", calls: [call("x")] }, '{"calls":['],
    ["of words around an object, all of them", PROSE, PROSE],
    ["of an object that is no step, all of it", LISTED, LISTED],
  ] as const)("is, %s", async (_name, old, kept) => {
    let count = 0;
    const isStep = typeof old !== "string";
    const { requests } = await runScripted(
      "tools: [stock]\nstrategy: [{ react: { id: one, mode: native, maxSteps: 2 } }, { react: { id: two, mode: structured, history: compact, maxSteps: 12 } }]\n",
      ({ stage }) => {
        if (stage === "one") return isStep ? "draft" : old;
        count += 1;
        if (count === 1 && isStep) return JSON.stringify(old);
        return JSON.stringify(count < 9 ? { thought: "", calls: [call(`${count}`)] } : FOUR);
      },
      { plugins: [stock] },
    );
    const said = (requests.at(-1)?.messages ?? []).filter(({ role }) => role === "assistant");
    const text = said[isStep ? 1 : 0]?.text ?? "";
    expect(text.startsWith(kept)).toBe(true);
    expect(text).not.toContain("hm");
  });
});
