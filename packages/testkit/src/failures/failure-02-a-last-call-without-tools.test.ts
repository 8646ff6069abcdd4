import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

// vercel/ai#13075, haystack#10001: the steps are used up and the model still asks for tools.

const stock = toolOf("stock", (item) => `${item}: 4`);

describe("a model that still asks for tools at the step limit", () => {
  it.each([2, 3, 5])("is asked once more without tools after %s steps", async (maxSteps) => {
    let item = 0;
    const run = await runScripted(
      `tools: [stock]\nstrategy: { react: { maxSteps: ${maxSteps} } }\n`,
      ({ tools }) => (tools.length > 0 ? calling("stock", `nut-${++item}`) : "4 nuts so far."),
      { plugins: [stock] },
    );
    expect(run.requests.map(({ tools }) => tools.length > 0)).toEqual([
      ...Array.from({ length: maxSteps - 1 }, () => true),
      false,
    ]);
    expect(run.outcome.answer).toMatchObject({ text: "4 nuts so far.", solvable: true });
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("gives its text also where it asks for tools that it was not offered", async () => {
    let item = 0;
    const run = await runScripted(
      "tools: [stock]\nstrategy: { react: { maxSteps: 2 } }\n",
      ({ tools }) => ({
        ...calling("stock", `nut-${++item}`),
        ...(tools.length > 0 ? {} : { text: "4 nuts so far." }),
      }),
      { plugins: [stock] },
    );
    expect(run.outcome.answer.text).toBe("4 nuts so far.");
    expect(item).toBe(2);
    expect(run.events.filter(({ name }) => name === "tool-call.start")).toHaveLength(1);
  });

  it("says that it was cut short", async () => {
    let item = 0;
    const run = await runScripted(
      "tools: [stock]\nstrategy: { react: { maxSteps: 3 } }\n",
      ({ tools }) => (tools.length > 0 ? calling("stock", `nut-${++item}`) : "4 nuts so far."),
      { plugins: [stock] },
    );
    const reason = "the answer was cut short: in `react` all 3 steps are used up";
    expect(run.outcome).toMatchObject({ outcome: "done", reason });
    expect(run.events.at(-1)?.data).toMatchObject({ outcome: "done", reason });
  });

  it("says nothing of it where the model answered by itself, or a later stage gave the answer", async () => {
    const replies = [calling("stock", "nut"), "4 nuts."];
    const whole = await runScripted(
      "tools: [stock]\nstrategy: { react: { maxSteps: 3 } }\n",
      replies,
      { plugins: [stock] },
    );
    expect(whole.outcome.reason).toBeUndefined();
    const later = await runScripted(
      "tools: [stock]\nstrategy: [{ react: { maxSteps: 2 } }, direct]\n",
      [...replies, "4 nuts, told again."],
      { plugins: [stock] },
    );
    expect(later.outcome).toMatchObject({ answer: { text: "4 nuts, told again." } });
    expect(later.outcome.reason).toBeUndefined();
  });
});
