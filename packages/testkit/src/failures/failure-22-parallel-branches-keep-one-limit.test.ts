import type { ProviderRequest } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const PRICED = "model: { use: stub/model, price: { input: 100, output: 400 } }\n";
const stock = toolOf("stock", (item) => `${item}: 4`);

/** An endpoint that bills what it was sent, and as many words as it is allowed, once all branches are at the counter. */
function dear(count: number): (request: ProviderRequest) => Promise<ScriptedReply> {
  let waiting: (() => void)[] = [];
  return async (request) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      const go = (): void => {
        const [all] = [waiting];
        waiting = [];
        for (const one of all) one();
      };
      if (waiting.length >= count) go();
      else setImmediate(() => setImmediate(go));
    });
    const output = request.sampling.maxTokens ?? 5000;
    const text = request.messages.map((message) => message.text).join("");
    const reply = request.tools.length > 0 ? calling("stock", request.key) : { text: "4" };
    return { ...reply, usage: { input: Math.ceil(text.length / 4), output } };
  };
}

// openai-agents-python#3353, pydantic-ai-harness#46: each of the branches looked at what was spent before, none at what
// the others were about to spend.
describe("failure 22: eight parallel branches under one limit in money", () => {
  it.each([
    ["direct", 0.9],
    ["direct", 2],
    ["{ react: { maxSteps: 4 } }", 1.5],
    ["{ react: { maxSteps: 4 } }", 6],
  ])("of %s, $%f: nothing goes over it, and an answer stands", async (inner, usd) => {
    const run = await runScripted(
      `${PRICED}tools: [stock]\nstrategy: { self-consistency: { samples: 8, maxParallel: 8, do: ${inner} } }\nlimits: { usd: ${usd} }\n`,
      dear(8),
      { plugins: [stock] },
    );
    const billed = run.events.reduce(
      (sum, event) => (event.name === "model-call.end" ? sum + event.data.usd : sum),
      0,
    );
    expect(billed).toBeLessThanOrEqual(usd + 1e-9);
    expect(billed).toBeGreaterThan(0);
    expect(run.outcome.spending.usd).toBeCloseTo(billed, 9);
    expect(run.outcome.answer.text).not.toBe("");
    expect(["done", "limited"]).toContain(run.outcome.outcome);
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("of model calls and of tool calls: not by one", async () => {
    for (const modelCalls of [9, 13, 20]) {
      const run = await runScripted(
        `tools: [stock]\nstrategy: { self-consistency: { samples: 8, maxParallel: 8, do: { react: { maxSteps: 4 } } } }\nlimits: { modelCalls: ${modelCalls}, toolCalls: 5 }\n`,
        dear(8),
        { plugins: [stock] },
      );
      expect(run.requests.length).toBeLessThanOrEqual(modelCalls);
      expect(run.outcome.spending.modelCalls).toBe(run.requests.length);
      const starts = run.events.filter(({ name }) => name === "tool-call.start");
      expect(starts.length).toBeLessThanOrEqual(5);
      expect(run.outcome.spending.toolCalls).toBe(starts.length);
    }
  });
});
