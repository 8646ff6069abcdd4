import type { ProviderRequest } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";
import { layeredModel, type LayeredReply } from "./layered-model.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);
const SILENT = { text: "" };

/** What the answer that stands in for a missing one begins with. */
const FOUND = "The work ended before an answer was written. This was found:";

function run(maxSteps: number, say: (request: ProviderRequest) => object): Promise<ScriptedRun> {
  return runScripted(`tools: [stock]\nstrategy: { react: { maxSteps: ${maxSteps} } }\n`, say, {
    plugins: [stock],
  });
}

describe("a model that only asks for tools", () => {
  it.each([2, 3])("leaves what was found after %i steps, marked as cut short", async (maxSteps) => {
    let item = 0;
    const { outcome, events } = await run(maxSteps, () => calling("stock", `nut-${++item}`));
    expect(outcome).toMatchObject({
      outcome: "done",
      reason: `the answer was cut short: in \`react\` all ${maxSteps} steps are used up`,
      answer: { solvable: true },
    });
    const lines = Array.from(
      { length: maxSteps - 1 },
      (_, index) => `- stock [observation-${index + 1}]: nut-${index + 1}: 4`,
    );
    expect(outcome.answer.text).toBe([FOUND, ...lines].join("\n"));
    expect(outcome.answer.evidence).toHaveLength(maxSteps - 1);
    expect(unbalanced(events)).toEqual([]);
  });

  it("says with one step that there is no answer, and is a fault", async () => {
    const { outcome } = await run(1, () => calling("stock", "nut"));
    expect(outcome).toMatchObject({
      outcome: "failed",
      fault: { code: "output-empty" },
      answer: { text: "No answer was reached, and nothing was found.", solvable: false },
    });
  });

  it("leaves no typed value, and says that there is none", async () => {
    const { outcome } = await runScripted(
      "tools: [stock]\noutput: { fields: { count: integer } }\nstrategy: { react: { maxSteps: 2 } }\n",
      () => calling("stock", "nut"),
      { plugins: [stock] },
    );
    expect(outcome).toMatchObject({
      outcome: "done",
      answer: { value: null, solvable: false, evidence: ["observation-1"] },
    });
  });
});

describe("a model that says nothing", () => {
  it.each([1, 2, 3, 8])("leaves a text with %i steps, and is a fault", async (maxSteps) => {
    const { outcome, events } = await run(maxSteps, () => SILENT);
    expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "output-empty" } });
    expect(outcome.answer.text).not.toBe("");
    expect(unbalanced(events)).toEqual([]);
  });

  it("leaves what was found before it fell silent", async () => {
    const { outcome } = await run(8, ({ messages }) =>
      messages.some(({ role }) => role === "assistant") ? SILENT : calling("stock", "nut"),
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { evidence: ["observation-1"] } });
    expect(outcome.reason).toContain("cut short");
  });
});

const ASKING: Readonly<Record<"structured" | "text", (item: number) => string>> = {
  structured: (item) =>
    JSON.stringify({ thought: "", calls: [{ tool: "stock", arguments: { item: `nut-${item}` } }] }),
  text: (item) => `Action: stock\nAction Input: nut-${item}`,
};

describe.each(["structured", "text"] as const)("mode %s", (mode) => {
  const LAYERS = { structured: "json-mode", text: "prompt" } as const;

  function say(maxSteps: number, reply: (request: ProviderRequest) => LayeredReply) {
    const { plugin } = layeredModel({ tools: false, structured: LAYERS[mode] }, reply);
    return runScripted(
      `model: layered/m\ntools: [stock]\nstrategy: { react: { maxSteps: ${maxSteps} } }\n`,
      [],
      { plugins: [stock, plugin] },
    );
  }

  it.each([2, 3])("leaves what was found where the model asks on after %i steps", async (max) => {
    let item = 0;
    const { outcome, events } = await say(max, () => ASKING[mode](++item));
    expect(outcome).toMatchObject({ outcome: "done", answer: { solvable: true } });
    expect(outcome.reason).toContain(`all ${max} steps are used up`);
    expect(outcome.answer.text.startsWith(FOUND)).toBe(true);
    expect(unbalanced(events)).toEqual([]);
  });

  it("takes an answer in the form of a step for the last answer too", async () => {
    const last = {
      structured: '{"thought":"","final":{"answer":"4 nuts","evidence":[]}}',
      text: "Thought: enough\nFinal Answer: 4 nuts",
    };
    const { outcome } = await say(1, () => last[mode]);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "4 nuts" } });
  });

  it("takes plain words for the last answer", async () => {
    const { outcome } = await say(1, () => "4 nuts, as far as I can see.");
    expect(outcome.answer.text).toBe("4 nuts, as far as I can see.");
  });
});

describe("a model that goes in circles", () => {
  it("by near-equal thoughts and calls is told, then loses its tools and answers", async () => {
    let step = 0;
    const { outcome, events, requests } = await run(20, ({ tools }) => {
      step += 1;
      if (tools.length === 0) return { text: "4 nuts [observation-1]." };
      return {
        ...calling("stock", step % 2 === 0 ? "nut" : "nut "),
        text: `I should look up the nuts in stock once more${"!".repeat(step)}`,
      };
    });
    const facts = events.flatMap((event) =>
      event.name === "fact.told" && event.data.fact === "near-repeat" ? [event.data.data] : [],
    );
    expect(facts.at(-1)).toMatchObject({ measure: "tools-off" });
    expect(facts[0]).toMatchObject({ measure: "hint" });
    expect(requests.at(-1)?.tools).toEqual([]);
    expect(outcome.answer.text).toBe("4 nuts [observation-1].");
    expect(outcome.reason).toMatch(/near-equal thoughts led to the same calls|stock \d times/);
  });
});

describe("a model that falls silent in a circle", () => {
  const SPELLINGS = ["nut", "Nut", "NUT", " nut", "nUt", "nuT"];

  it("leaves a text, and the run is limited by the circle", async () => {
    let step = 0;
    const failing = toolOf("stock", () => {
      throw new Error("always the same");
    });
    const { outcome } = await runScripted(
      "tools: [stock]\nstrategy: { react: { maxSteps: 12 } }\n",
      ({ tools }) =>
        tools.length === 0
          ? SILENT
          : {
              ...calling("stock", SPELLINGS[step++ % SPELLINGS.length] ?? ""),
              text: "I have to look for the nut once more.",
            },
      { plugins: [failing] },
    );
    expect(outcome).toMatchObject({
      outcome: "limited",
      fault: { code: "limit-repeat" },
      answer: { text: "No answer was reached, and nothing was found.", solvable: false },
    });
    expect(outcome.reason).toContain("near-equal thoughts led to the same calls");
  });
});

const EACH_MODE = ["native", "structured", "text"] as const;

function asking(mode: (typeof EACH_MODE)[number], item: number): ScriptedReply {
  if (mode === "native") return calling("stock", `nut-${item}`);
  if (mode === "text") return { text: ASKING.text(item) };
  const call = { tool: "stock", arguments: JSON.stringify({ item: `nut-${item}` }) };
  return { text: JSON.stringify({ thought: "", calls: [call] }) };
}

describe.each(EACH_MODE)("in mode %s", (mode) => {
  const acting = (max: number, id = "react"): string =>
    `{ react: { id: ${id}, mode: ${mode}, maxSteps: ${max} } }`;

  it("a limit on tool calls ends the run and is named where the model asks on", async () => {
    let item = 0;
    const { outcome } = await runScripted(
      `tools: [stock]\nlimits: { toolCalls: 2 }\nstrategy: ${acting(9)}\n`,
      ({ stage }) => (stage === "conclusion" ? { text: "4" } : asking(mode, ++item)),
      { plugins: [stock] },
    );
    expect(outcome).toMatchObject({ outcome: "limited", answer: { text: "4" } });
    expect(outcome.reason).toMatch(/^limits.toolCalls is reached \(2 of 2 used\)/);
    expect(outcome.state.observations).toHaveLength(2);
  });

  it("an earlier answer that stands is told to be one, without the new results", async () => {
    let item = 0;
    const { outcome } = await runScripted(
      `tools: [stock]\nstrategy: [direct, ${acting(3)}]\n`,
      ({ stage }) => (stage === "direct" ? { text: "old draft" } : asking(mode, ++item)),
      { plugins: [stock] },
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "old draft" } });
    expect(outcome.reason).toBe(
      "the answer was cut short: in `react` all 3 steps are used up; the answer is an earlier one, without the 2 results of this stage",
    );
  });

  it("a typed answer that never fits leaves what was found", async () => {
    let item = 0;
    const wrong = {
      native: "four",
      structured: JSON.stringify({ thought: "", final: { answer: "four" } }),
      text: "Final Answer: four",
    };
    const { outcome } = await runScripted(
      `tools: [stock]\noutput: { fields: { count: integer } }\nstrategy: ${acting(8)}\n`,
      () => (item === 0 ? asking(mode, ++item) : { text: wrong[mode] }),
      { plugins: [stock] },
    );
    expect(outcome).toMatchObject({
      outcome: "done",
      answer: { value: null, solvable: false, evidence: ["observation-1"] },
    });
    expect(outcome.answer.text.startsWith(FOUND)).toBe(true);
    expect(outcome.reason).toContain("cut short");
  });

  it("a first reply that is cut each time fails with its code, and leaves a text", async () => {
    const { outcome, events } = await runScripted(
      `tools: [stock]\nstrategy: ${acting(4)}\n`,
      () => ({ text: "cut off tex", finishReason: "length" }),
      { plugins: [stock] },
    );
    expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "output-truncated" } });
    expect(outcome.answer.text).not.toBe("");
    expect(unbalanced(events)).toEqual([]);
  });
});

describe("a step that core has asked for again in vain", () => {
  it("is told as one step that could not be read, and counts once", async () => {
    const { outcome, events } = await runScripted(
      "tools: [stock]\nstrategy: { react: { mode: structured, maxSteps: 4 } }\n",
      ({ output }) => ({ text: output === undefined ? "4 nuts" : "no object" }),
      { plugins: [stock] },
    );
    const rejected = events.flatMap((event) =>
      event.name === "fact.told" && event.data.fact === "format.rejected" ? [event.data.data] : [],
    );
    expect(rejected).toMatchObject([{ mode: "structured", count: 1 }]);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "4 nuts" } });
    expect(outcome.reason).toContain("the step could not be read, also after repair:");
  });
});
