import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { misnested } from "../promises/misnested.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";

// openai-agents-js#512, langgraph#6731, vercel/ai#2042: the same call with the same arguments for ever.

let calls = 0;
const stock = toolOf("stock", (item) => {
  calls += 1;
  return `${item}: 4`;
});
const weather = toolOf("weather", (item) => `${item}: rain ${(calls += 1)}`);

const MAX_STEPS = 30;

/** A model that asks for the same as long as it may, and else says what it has. */
async function stubborn(
  ask: (turn: number) => ReturnType<typeof calling>,
  spec = `tools: [stock, weather]\nstrategy: { react: { maxSteps: ${MAX_STEPS} } }\n`,
): Promise<ScriptedRun> {
  calls = 0;
  let turn = 0;
  const run = await runScripted(
    spec,
    ({ tools }) => (tools.length > 0 ? ask(turn++) : "As far as I know, 4 nuts."),
    { plugins: [stock, weather] },
  );
  expect(unbalanced(run.events)).toEqual([]);
  expect(misnested(run.events)).toEqual([]);
  return run;
}

describe("a model that asks for the same call again and again", () => {
  it("is told so, then loses its tools, then ends limited with a usable partial answer", async () => {
    const run = await stubborn(() => calling("stock", "nut"));
    expect(run.outcome).toMatchObject({
      outcome: "limited",
      answer: { text: "As far as I know, 4 nuts.", solvable: true },
      fault: { code: "limit-repeat" },
    });
    expect(run.outcome.reason).toContain("stock");
    expect(run.requests.length).toBeLessThan(MAX_STEPS / 3);
    expect(calls).toBeLessThanOrEqual(4);
  });

  it("is told before its tools go: the hint stands in what it reads, and each measure is an event", async () => {
    const run = await stubborn(() => calling("stock", "nut"));
    const hinted = run.requests.findIndex(({ messages }) =>
      JSON.stringify(messages).includes("same result"),
    );
    const without = run.requests.findIndex(({ tools }) => tools.length === 0);
    expect(hinted).toBeGreaterThan(0);
    expect(without).toBeGreaterThan(hinted);
    const measures = run.events.flatMap((event) =>
      event.name === "loop.detected" ? [event.data.measure] : [],
    );
    expect(measures).toEqual(["hint", "tools-off"]);
  });

  it("is found by arguments that say the same in another order or form", async () => {
    const run = await stubborn((turn) => ({
      calls: [
        {
          name: "stock",
          arguments: turn % 2 === 0 ? '{"item":"nut"}' : ' {  "item" : "nut" } ',
        },
      ],
    }));
    expect(run.outcome).toMatchObject({ outcome: "limited", fault: { code: "limit-repeat" } });
    expect(run.requests.length).toBeLessThan(MAX_STEPS / 3);
  });

  it("is not found where the result changes, or the arguments do", async () => {
    const changing = await stubborn(
      (turn) => calling("weather", turn < 8 ? "Shanghai" : `Shanghai ${turn}`),
      "tools: [stock, weather]\nstrategy: { react: { maxSteps: 12 } }\n",
    );
    expect(changing.events.map(({ name }) => name)).not.toContain("loop.detected");
    expect(changing.outcome.fault?.code).not.toBe("limit-repeat");
  });
});
