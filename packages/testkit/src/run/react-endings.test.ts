import type { ProviderRequest } from "@loopwright/core/plugin";
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
