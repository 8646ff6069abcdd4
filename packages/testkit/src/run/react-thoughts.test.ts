import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";
import { factsOf } from "./plan-drafts.ts";

const stock = toolOf("stock", (item) => `4 of ${item}`);

function run(options: string, ...thoughts: readonly string[]) {
  const calls = thoughts.map((text, index) => ({ ...calling("stock", `nut ${index}`), text }));
  return runScripted(
    `tools: [stock]\nstrategy: { react: { thoughts: { ${options} } } }\n`,
    [...calls, "4"],
    { plugins: [stock] },
  );
}

const GOOD = "Need: the stock.\nFacts: 4 [observation-1].\nHow: ask again.";

describe("rules for thoughts", () => {
  it("are off by themselves", async () => {
    const { events, requests } = await run("", "I guess there are 4711.");
    expect(factsOf(events, "thought.rule-broken")).toEqual([]);
    expect(requests[0]?.messages[0]?.text).not.toContain("Need:");
  });

  it("are told the model, and a breach is told once in a stage and every one in the log", async () => {
    const wild = "I guess there are 4711.";
    const { events, requests, outcome } = await run(
      "rules: [need, facts, how], noInventedValues: true",
      wild,
      wild,
      wild,
    );
    expect(requests[0]?.messages[0]?.text).toContain("- Need: what is missing.");
    const told = requests.map(({ messages }) =>
      messages.at(-1)?.text.includes("Your last thought broke rules"),
    );
    expect(told).toEqual([false, true, false, false]);
    expect(requests[1]?.messages.at(-1)?.text).toContain(
      "neither in the task nor in a result: 4711",
    );
    expect(factsOf(events, "thought.rule-broken")).toHaveLength(12);
    expect(outcome.outcome).toBe("done");
  });

  it("leave a thought alone that keeps them", async () => {
    const first = "Need: the stock.\nFacts: the task asks for it.\nHow: call stock.";
    const { events } = await run(
      "rules: [need, facts, how], noInventedValues: true, maxChars: 200",
      first,
      GOOD,
    );
    expect(factsOf(events, "thought.rule-broken")).toEqual([]);
  });

  it("tell a thought as no evidence", async () => {
    const { events } = await run("", "I think.");
    const told = events.flatMap((event) => (event.name === "thought.given" ? [event.data] : []));
    expect(told).toEqual([{ text: "I think.", isEvidence: false }]);
  });

  it.each([
    ["rules: [why]", "rules"],
    ["maxChars: 5", "maxChars"],
  ])("that make no sense are errors of the spec: %s", async (options, key) => {
    await expect(run(options)).rejects.toThrow(key);
  });
});
