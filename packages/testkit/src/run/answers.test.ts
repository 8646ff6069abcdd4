import { defineCheck, Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const RULE =
  'strategy: direct\noutput:\n  fields: { n: integer }\n  repair: 2\n  checks: [{ rule: { expr: "answer.value.n > 10", message: n must be above ten } }]\n';

describe("the checks of an output", () => {
  it("feed what they find back to the model, within the repairs allowed", async () => {
    const run = await runScripted(RULE, [{ json: { n: 1 } }, { json: { n: 11 } }]);
    expect(run.outcome).toMatchObject({ outcome: "done", value: { n: 11 } });
    expect(run.requests[1]?.messages.at(-1)?.text).toMatch(/n must be above ten.*→/);
    expect(eventNames(run.events)).toContain("output.rejected");
    expect(run.events.filter(({ name }) => name === "answer.given")).toHaveLength(1);
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("reject the reply when the repairs are used up", async () => {
    const run = await runScripted(RULE, () => ({ json: { n: 1 } }));
    expect(run.requests).toHaveLength(3);
    expect(run.outcome).toMatchObject({ outcome: "failed", fault: { code: "output-invalid" } });
    expect(run.outcome.answer.revision).toBe(0);
  });

  it("ask nothing of an answer that says that the task can't be done", async () => {
    const run = await runScripted(RULE, [
      { json: { n: 0, solvable: false, unsolvableReason: "nobody counted" } },
    ]);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { solvable: false } });
  });

  it("can call no tools", async () => {
    let executed = 0;
    const stock = toolOf("stock", () => `${++executed}`);
    const acting = defineCheck({
      id: "acting",
      description: "Looks it up.",
      options: Type.Object({}),
      run: async (_state, context) => {
        await context.callTools([{ tool: "stock", input: {} }]);
        return { issues: [] };
      },
    });
    const run = await runScripted(
      "tools: [stock]\nstrategy: direct\noutput: { fields: { n: integer }, checks: [acting] }\n",
      () => ({ json: { n: 1 } }),
      { plugins: [stock, acting] },
    );
    expect(executed).toBe(0);
    expect(run.outcome).toMatchObject({ outcome: "failed", fault: { code: "output-invalid" } });
    expect(run.outcome.reason).toMatch(/call no tools/);
  });
});

describe("an empty reply", () => {
  const SILENT = { text: "" };
  const FILTERED = { text: "", finishReason: "content-filter" } as const;

  it("is no answer, and is asked for again", async () => {
    const mended = await runScripted("strategy: direct\n", [SILENT, "4"]);
    expect(mended.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    const { outcome } = await runScripted("strategy: direct\n", () => SILENT);
    expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "output-empty" } });
  });

  it("is a fault of a model that stays silent, under `react` too", async () => {
    const run = await runScripted(
      "tools: [stock]\nstrategy: { react: { maxSteps: 3 } }\n",
      () => SILENT,
      { plugins: [toolOf("stock", () => "4")] },
    );
    expect(run.outcome).toMatchObject({ outcome: "failed", fault: { code: "output-empty" } });
  });

  it("that holds thinking alone says so, and not that nothing came", async () => {
    const thinking = { text: "", reasoning: "Let me see, 2 + 2" };
    const mended = await runScripted("strategy: direct\n", [thinking, "4"]);
    expect(mended.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(mended.requests[1]?.messages.at(-1)?.text).toContain(
      "the reply ends inside its thinking, and no answer follows",
    );
    const { outcome, events } = await runScripted("strategy: direct\n", () => thinking);
    expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "output-empty" } });
    expect(outcome.reason).toMatch(/ends inside its thinking/);
    const codes = events.flatMap((event) =>
      event.name === "output.rejected" ? [event.data.code] : [],
    );
    expect(new Set(codes)).toEqual(new Set(["thinking-only"]));
  });

  it("of a content filter is a refusal, typed or not", async () => {
    for (const output of ["", "output: { fields: { n: integer } }\n"]) {
      const run = await runScripted(`strategy: direct\n${output}`, [FILTERED]);
      expect(run.outcome).toMatchObject({ outcome: "done", answer: { solvable: false } });
      expect(run.outcome.answer.unsolvableReason).toMatch(/content filter/);
      expect(run.requests).toHaveLength(1);
    }
  });

  it("of a content filter is no value for a schema of a strategy's own", async () => {
    const { outcome } = await runScripted("strategy: plan\n", () => FILTERED);
    expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "output-invalid" } });
  });

  it("in an acting stage reaches its nudge while tools are on", async () => {
    const stock = toolOf("stock", () => "4");
    const run = await runScripted(
      "tools: [stock]\nstrategy: react\n",
      [SILENT, calling("stock", "nut"), "4"],
      { plugins: [stock] },
    );
    expect(run.requests[1]?.messages.at(-1)?.text).toMatch(/Your reply was empty\./);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
  });
});
