import type { RunEvent } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";
import { layeredModel, type LayeredReply } from "./layered-model.ts";

type ModeName = "native" | "structured" | "text";

/** One story: a thought with a call, another call, the answer; as each mode writes it. */
const STORY: Readonly<Record<ModeName, readonly object[]>> = {
  native: [
    {
      text: "The stock of nuts is missing.",
      calls: [{ name: "stock", arguments: { item: "nut" } }],
    },
    { text: "", calls: [{ name: "stock", arguments: { item: "bolt" } }] },
    { text: "4 nuts [observation-1], 9 bolts [observation-2]." },
  ],
  structured: [
    {
      json: {
        thought: "The stock of nuts is missing.",
        calls: [{ tool: "stock", arguments: '{"item":"nut"}', reason: "to count" }],
      },
    },
    { json: { thought: "", calls: [{ tool: "stock", arguments: '{"item":"bolt"}' }] } },
    {
      json: {
        thought: "",
        final: {
          answer: "4 nuts [observation-1], 9 bolts [observation-2].",
          evidence: ["observation-1", "observation-2"],
        },
      },
    },
  ].map(({ json }) => ({ text: JSON.stringify(json) })),
  text: [
    { text: 'Thought: The stock of nuts is missing.\nAction: stock\nAction Input: {"item":"nut"}' },
    { text: "Action: stock\nAction Input: bolt\nObservation: 100 bolts\nFinal Answer: 100" },
    { text: "Final Answer: 4 nuts [observation-1], 9 bolts [observation-2]." },
  ],
};

const stock = toolOf("stock", (item) => (item === "nut" ? "4" : "9"));
const modes: readonly ModeName[] = ["native", "structured", "text"];

function tell(mode: ModeName): Promise<ScriptedRun> {
  return runScripted(`tools: [stock]\nstrategy: { react: { mode: ${mode} } }\n`, STORY[mode], {
    plugins: [stock],
  });
}

function dataOf(events: readonly RunEvent[], name: RunEvent["name"]): readonly unknown[] {
  return events.flatMap((event) => (event.name === name ? [event.data] : []));
}

/** Tool calls have ids of the model's own in native mode, and of the loop's in the others. */
function withoutCallIds(events: readonly RunEvent[]): readonly unknown[] {
  return dataOf(events, "tool-call.start").map((data) => ({ ...(data as object), callId: "" }));
}

describe("the modes of react", () => {
  it("tell the same events, and come to the same observations and the same answer", async () => {
    const [native, ...others] = await Promise.all(modes.map(tell));
    const names = eventNames(native?.events ?? [], { without: ["model-call.delta"] });
    expect(names).toEqual([
      "run.start",
      "stage.start react",
      "step.start",
      "model-call.start",
      "model-call.end",
      "thought.given",
      "tool-call.start stock",
      "tool-call.end stock",
      "observation.recorded",
      "step.end",
      "step.start",
      "model-call.start",
      "model-call.end",
      "tool-call.start stock",
      "tool-call.end stock",
      "observation.recorded",
      "step.end",
      "step.start",
      "model-call.start",
      "model-call.end",
      "answer.given",
      "step.end",
      "stage.end react",
      "run.end",
    ]);
    for (const other of others) {
      // Beside them stands what text mode tells of the result that the model made up.
      const without = ["model-call.delta", "fact.told"] as const;
      expect(eventNames(other.events, { without })).toEqual(names);
      expect(other.outcome.state.observations).toEqual(native?.outcome.state.observations);
      expect(other.outcome.answer).toEqual(native?.outcome.answer);
      expect(withoutCallIds(other.events)).toEqual(withoutCallIds(native?.events ?? []));
      expect(unbalanced(other.events)).toEqual([]);
    }
    expect([native, ...others].map((one) => dataOf(one?.events ?? [], "fact.told"))).toEqual([
      [],
      [],
      [{ fact: "format.dropped", data: { mode: "text", dropped: ["observation"] } }],
    ]);
    expect(native?.outcome.answer.evidence).toEqual(["observation-1", "observation-2"]);
    expect(dataOf(native?.events ?? [], "thought.given")).toEqual([
      { text: "The stock of nuts is missing.", isEvidence: false },
    ]);
  });

  it("offer tools to the endpoint in native mode alone; the others write the manuals down", async () => {
    const [native, structured, text] = await Promise.all(modes.map(tell));
    expect(native?.requests.map(({ tools }) => tools.length)).toEqual([1, 1, 1]);
    for (const run of [structured, text]) {
      expect(run?.requests.map(({ tools }) => tools.length)).toEqual([0, 0, 0]);
      expect(run?.requests[0]?.messages[0]?.text).toContain(
        '- stock: The tool stock.\n    "item"?: string',
      );
    }
    expect(structured?.requests[0]?.output?.layer).toBe("json-schema");
    expect(text?.requests[0]?.output).toBeUndefined();
    expect(text?.requests[0]?.sampling).toMatchObject({ effort: "none" });
  });

  it("show a result as an observation behind the same fence", async () => {
    const runs = await Promise.all(modes.map(tell));
    for (const { requests } of runs) {
      const last = requests[2]?.messages.at(-1)?.text ?? "";
      expect(last).toContain('<observation id="observation-2" tool="stock">\n9\n</observation>');
      expect(JSON.stringify(requests[2]?.messages)).not.toContain("100 bolts");
    }
  });
});

describe("a prompt of the stage's own", () => {
  it.each(modes)(
    "takes the place of the first message in mode %s, and sees the number of steps",
    async (mode) => {
      const { requests } = await runScripted(
        `tools: [stock]\nstrategy: { react: { mode: ${mode}, maxSteps: 4, prompt: "Count. Steps: {{ maxSteps }}" } }\n`,
        STORY[mode],
        { plugins: [stock] },
      );
      const first = requests.map(({ messages }) => messages[1]?.text);
      expect(first).toEqual(["Count. Steps: 4", "Count. Steps: 4", "Count. Steps: 4"]);
      expect(requests[2]?.messages.at(-1)?.text).toContain("Step 3 of 4");
    },
  );
});

const SAY: Readonly<Record<string, LayeredReply>> = {
  structured: '{"thought":"","final":{"answer":"4","evidence":[]}}',
  text: "Final Answer: 4",
  native: "4",
};

describe("mode auto", () => {
  it.each([
    ["native", { tools: true, structured: "prompt" }],
    ["structured", { tools: false, structured: "json-schema" }],
    ["structured", { tools: false, structured: "json-mode" }],
    ["text", { tools: false, structured: "prompt" }],
  ] as const)("is %s for a model that can do %o", async (mode, abilities) => {
    const { plugin, requests } = layeredModel(abilities, () => SAY[mode] ?? "");
    const { outcome } = await runScripted(
      "model: layered/m\ntools: [stock]\nstrategy: react\n",
      [],
      {
        plugins: [stock, plugin],
      },
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    const [request] = requests;
    expect(request?.tools).toHaveLength(mode === "native" ? 1 : 0);
    expect(request?.sampling.stop !== undefined).toBe(mode === "text");
    expect(request?.output !== undefined).toBe(mode === "structured");
  });

  it("needs no mode for what can't be called", async () => {
    const { plugin, requests } = layeredModel({ tools: false, structured: "prompt" }, () => "4");
    await runScripted("model: layered/m\nstrategy: react\n", [], { plugins: [plugin] });
    expect(requests[0]?.sampling.stop).toBeUndefined();
  });

  it("is not asked where the spec says native: that is an error for a model without tools", async () => {
    const { plugin } = layeredModel({ tools: false }, () => "4");
    const { outcome } = await runScripted(
      "model: layered/m\ntools: [stock]\nstrategy: { react: { mode: native } }\n",
      [],
      { plugins: [stock, plugin] },
    );
    expect(outcome.outcome).toBe("failed");
    expect(outcome.reason).toContain("can't call tools");
  });
});
