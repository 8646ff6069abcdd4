import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const stock = toolOf("stock", () => "4 nuts");

const REFINE = `task: { text: What is there?, constraints: ['Mention "tags".'] }
strategy: [direct, { verify: { checks: [constraints], model: none, revise: { refine: { model: default } } } }]
`;

const WRITERS = [
  ["direct", "strategy: direct\n", []],
  ["chain-of-thought", "strategy: chain-of-thought\n", []],
  ["refine", REFINE, ["A draft."]],
  ["react", "tools: [stock]\nstrategy: react\n", [calling("stock", "nut")]],
] as const;

describe.each(WRITERS)("free text of %s", (strategy, body, before) => {
  it.each(["<think>unfinished", "<think>done</think>\n"])(
    "is no answer while it is thinking alone: %j",
    async (thinking) => {
      let count = 0;
      const { outcome } = await runScripted(body, () => before[count++] ?? thinking, {
        plugins: [stock],
      });
      // What acted says what it found, where the model writes no answer.
      expect(outcome.fault?.code ?? outcome.reason).toContain(
        strategy === "react" ? "gave no answer of its own" : "output-empty",
      );
      expect(outcome.answer.text).not.toContain("think");
    },
  );

  it("is an answer without its thinking", async () => {
    const { outcome } = await runScripted(
      body,
      [...before, "<think>unfinished", "<think>I count.</think>\n\nFour `<think>` tags."],
      { plugins: [stock] },
    );
    expect(outcome.outcome).toBe("done");
    expect(outcome.answer).toMatchObject({ text: "Four `<think>` tags.", reasoning: "I count." });
  });
});
