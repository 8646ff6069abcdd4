import type { Run } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { runScripted } from "../promises/run-scripted.ts";
import { asked, draftOf, factsOf, planOf, step } from "./plan-drafts.ts";

const three = [step("a"), step("b"), step("c")];

const flight = {
  between: ["the cheapest fare", "a direct flight"],
  resolution: "ask",
  relaxed: "",
  detail: "No stated wish weighs more.",
  prices: ["a stop on the way", "a higher fare"],
};

const TASK = "task: Find the cheapest direct flight to Rome.\n";

describe("plan", () => {
  it("feeds a plan that is too long back once for compression", async () => {
    const { outcome, requests, events } = await runScripted(
      "strategy: { plan: { maxPlanSteps: 2 } }\n",
      [planOf(...three), planOf(step("a"), step("c", "a"))],
    );
    expect(requests).toHaveLength(2);
    expect(asked(requests[1] as never)).toContain("The plan has 3 steps, 1 too many.");
    expect(outcome.state.plan.steps.map(({ id, status }) => [id, status])).toEqual([
      ["a", "open"],
      ["c", "open"],
    ]);
    expect(eventNames(events, { without: ["model-call.delta"] })).toEqual([
      "run.start",
      "stage.start plan",
      "model-call.start",
      "model-call.end",
      "model-call.start",
      "model-call.end",
      "plan.made",
      "stage.end plan",
      "run.end",
    ]);
  });

  it.each([
    ["no step", [], "The plan has no step.", "which steps it takes"],
    ["too many", three, "The plan has 3 steps, 1 too many.", "Raise `maxPlanSteps`"],
    [
      "an id twice",
      [step("a"), step("a")],
      "The id a stands for two steps.",
      "which steps it takes",
    ],
    [
      "an unknown dependency",
      [step("a", "z")],
      "a depends on z, which is no earlier step.",
      "which steps it takes",
    ],
    ["steps in no order", [step("a", "b"), step("b")], "a depends on b", "Put b before a"],
    ["a circle", [step("a", "b"), step("b", "a")], "a depends on b", "in a circle"],
  ])(
    "ends with an error that says what is wrong with a second draft: %s",
    async (_, steps, fault, advice) => {
      const { outcome, requests } = await runScripted(
        "strategy: { plan: { maxPlanSteps: 2 } }\n",
        () => planOf(...steps),
      );
      expect(requests).toHaveLength(2);
      expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "strategy-failed" } });
      expect(outcome.fault?.message).toContain(fault);
      expect(outcome.fault?.message).toContain(advice);
    },
  );

  it("is told of an id that stands nowhere, and keeps it if the model means it; that is told", async () => {
    const invented = { ...step("a"), objective: "look up order A20260824999" };
    const { outcome, requests, events } = await runScripted("strategy: plan\n", () =>
      planOf(invented),
    );
    expect(requests).toHaveLength(2);
    expect(asked(requests[1] as never)).toContain("20260824999 stands nowhere");
    expect(factsOf(events, "values.unknown")).toEqual([{ values: ["20260824999"] }]);
    expect(outcome).toMatchObject({ outcome: "done" });
  });

  it("neither acts nor answers, and knows the tools that it is told of", async () => {
    const { outcome, requests } = await runScripted(
      "tools: [calculator]\nstrategy: { plan: { tools: all } }\n",
      () => planOf(step("a")),
    );
    expect(requests[0]?.tools).toEqual([]);
    expect(asked(requests[0] as never)).toContain("- calculator: ");
    expect(outcome.answer.text).toBe("");
  });

  it("says the words of a spec's own prompt, with what it is told beside the state", async () => {
    const { requests } = await runScripted(
      `${TASK}strategy:\n  plan:\n    prompt:\n      plan: "{{ task.text }}{{# likelyConflicts }} {{ item }}{{/ likelyConflicts }} {{ maxSteps }}"\n`,
      [planOf(step("a"))],
    );
    expect(asked(requests[0] as never)).toBe(
      'Find the cheapest direct flight to Rome. - a low price ("cheapest") against a direct or comfortable way ("direct") 8',
    );
  });
});

describe("conflicts of wishes", () => {
  it("are hinted at, and what a person must decide is told with both prices", async () => {
    const { outcome, requests } = await runScripted(`${TASK}strategy: plan\n`, [
      draftOf({ conflicts: [flight] }),
    ]);
    expect(asked(requests[0] as never)).toContain(
      'a low price ("cheapest") against a direct or comfortable way ("direct")',
    );
    expect(outcome.state.plan.conflicts).toEqual([
      'the cheapest fare against a direct flight: No stated wish weighs more. (the price of "the cheapest fare": a stop on the way; the price of "a direct flight": a higher fare)',
    ]);
  });

  it("are settled by a preference, a soft wish or a compromise without a person", async () => {
    const settled = ["preference", "relax", "compromise"].map((resolution) => ({
      ...flight,
      resolution,
    }));
    const { outcome } = await runScripted(
      `${TASK}strategy:\n  - plan\n  - direct: { id: none, when: plan.hasConflicts }\n`,
      [draftOf({ conflicts: settled })],
    );
    expect(outcome.state.plan.conflicts).toEqual([]);
    expect(outcome.state.plan.tradeoffs).toHaveLength(3);
    expect(outcome.state.results["none"]?.outcome).toBe("skipped");
  });

  it("go back to the model where the price of a side is missing", async () => {
    const { requests, outcome } = await runScripted(`${TASK}strategy: plan\n`, () =>
      draftOf({ conflicts: [{ ...flight, prices: ["a stop"] }] }),
    );
    expect(requests).toHaveLength(2);
    expect(asked(requests[1] as never)).toContain("Name the price of each side");
    expect(outcome.state.plan.conflicts[0]).toContain('the price of "a direct flight": not known');
  });

  const hard = "task: { text: Find a flight., constraints: [No flight before nine.] }\n";

  it("never drop a hard constraint in silence: a missing one is put back and told", async () => {
    const { outcome, events } = await runScripted(`${hard}strategy: plan\n`, [
      draftOf({ constraints: ["Cheap."] }),
    ]);
    expect(outcome.state.plan.constraints).toEqual(["No flight before nine.", "Cheap."]);
    expect(factsOf(events, "constraints.kept")).toEqual([
      { constraints: ["No flight before nine."] },
    ]);
  });

  it("relax a hard constraint for a stated preference alone, and say so", async () => {
    const early = { ...flight, relaxed: "No flight before nine" };
    const preferred = await runScripted(`${hard}strategy: plan\n`, [
      draftOf({ conflicts: [{ ...early, resolution: "preference" }] }),
    ]);
    expect(preferred.outcome.state.plan.constraints).toEqual([]);
    expect(preferred.outcome.state.plan.tradeoffs?.[0]).toContain("is relaxed");
    expect(factsOf(preferred.events, "constraints.relaxed")).toHaveLength(1);
    const relaxed = await runScripted(`${hard}strategy: plan\n`, [
      draftOf({ conflicts: [{ ...early, resolution: "relax" }] }),
    ]);
    expect(relaxed.outcome.state.plan.conflicts).toHaveLength(1);
    expect(relaxed.outcome.state.plan.constraints).toEqual(["No flight before nine."]);
  });
});

describe("onConflict: ask", () => {
  const body = `${TASK}strategy: { plan: { onConflict: ask, timeout: 1m } }\n`;
  const questions: string[] = [];
  const answering = (reply: string) => (live: Run) => {
    live.on("question.asked", ({ data }) => {
      questions.push(data.question, ...data.options);
      setImmediate(() => live.respond(data.id, { reply }));
    });
  };

  it("asks with the price of each side, and plans again with the reply", async () => {
    const { outcome, requests, events } = await runScripted(
      body,
      [draftOf({ conflicts: [flight] }), draftOf({ conflicts: [flight], steps: [step("direct")] })],
      { onRun: answering("a direct flight") },
    );
    expect(questions).toEqual([
      expect.stringContaining('the price of "a direct flight": a higher fare'),
      "the cheapest fare",
      "a direct flight",
    ]);
    expect(asked(requests[1] as never)).toContain("a person decided: a direct flight");
    expect(outcome.state.plan).toMatchObject({
      conflicts: [],
      tradeoffs: ["the cheapest fare against a direct flight: a person decided: a direct flight"],
      steps: [{ id: "direct" }],
    });
    expect(eventNames(events).filter((name) => /plan|question/u.test(name))).toEqual([
      "stage.start plan",
      "plan.made",
      "question.asked",
      "question.answered",
      "plan.revised",
      "stage.end plan",
    ]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("refuses a `timeout` where nobody is asked", async () => {
    await expect(runScripted("strategy: { plan: { timeout: 1m } }\n", [])).rejects.toThrow(
      "`onConflict: report` asks nobody",
    );
  });

  it("leaves the conflict open where nobody replies", async () => {
    const { outcome, requests } = await runScripted(body, [draftOf({ conflicts: [flight] })], {
      settings: { isPersonPresent: false },
    });
    expect(requests).toHaveLength(1);
    expect(outcome.state.plan.conflicts).toHaveLength(1);
  });
});

it("tells a later plan what a person replied to an `ask` stage", async () => {
  const { requests, outcome } = await runScripted(
    `${TASK}strategy:
  - plan
  - ask: { when: plan.hasConflicts, question: "{{# plan.conflicts }}{{ item }}{{/ plan.conflicts }} Which?" }
  - plan: { id: plan-again, when: results.ask.answered }
`,
    [draftOf({ conflicts: [flight] }), planOf(step("direct"))],
    {
      onRun: (live) => {
        live.on("question.asked", ({ data }) => {
          setImmediate(() => live.respond(data.id, { reply: "the direct one" }));
        });
      },
    },
  );
  expect(asked(requests[1] as never)).toContain("- ask: the direct one");
  expect(outcome.state.plan.steps).toMatchObject([{ id: "direct" }]);
});
