import type { RunEvent } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { misnested } from "../promises/misnested.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

function ran({ events }: ScriptedRun): readonly string[] {
  return events.flatMap((event) => (event.name === "model-call.start" ? [event.stage] : []));
}

function factsOf(events: readonly RunEvent[], name: string): readonly unknown[] {
  return events.flatMap((event) =>
    event.name === "fact.told" && event.data.fact === name ? [event.data.data] : [],
  );
}

function expectSound(run: ScriptedRun): void {
  expect(unbalanced(run.events)).toEqual([]);
  expect(misnested(run.events)).toEqual([]);
}

const down = { error: { code: "provider-unavailable", message: "down" } } as const;

describe("branch", () => {
  const body = (condition: string, otherwise = "") => `strategy:
  - direct
  - branch:
      if: ${condition}
      then: { direct: { id: yes-way } }
${otherwise}`;

  it("runs what the condition says", async () => {
    const no = "      else: { direct: { id: no-way } }\n";
    const yes = await runScripted(body("answer.text == 'one'", no), ["one", "two"]);
    expect(ran(yes)).toEqual(["direct", "yes-way"]);
    const other = await runScripted(body("answer.text == 'two'", no), ["one", "three"]);
    expect(ran(other)).toEqual(["direct", "no-way"]);
    expect(other.outcome).toMatchObject({ outcome: "done", answer: { text: "three" } });
    expectSound(other);
  });

  it("runs nothing where the condition does not hold and there is no `else`", async () => {
    const run = await runScripted(body("answer.text == 'two'"), ["one"]);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "one" } });
    expect(run.outcome.state.results["branch"]?.outcome).toBe("done");
  });
});

describe("choose", () => {
  const body = `strategy:
  choose:
    cases:
      refund: { description: The customer wants money back., do: { direct: { id: pay } } }
      question: { description: The customer asks something., do: { direct: { id: reply } } }
`;

  it("runs the case that the model picks by its description", async () => {
    const run = await runScripted(body, [{ json: { case: "question" } }, "It is open."]);
    expect(ran(run)).toEqual(["choose", "reply"]);
    expect(run.requests[0]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining("- refund: The customer wants money back."),
    });
    expect(factsOf(run.events, "case.picked")).toEqual([{ case: "question" }]);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "It is open." } });
    expectSound(run);
  });

  it("lets the model mend a pick that is no case", async () => {
    const run = await runScripted(body, [
      { json: { case: "praise" } },
      { json: { case: "refund" } },
      "Paid.",
    ]);
    expect(ran(run)).toEqual(["choose", "choose", "pay"]);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "Paid." } });
  });
});

describe("parallel", () => {
  it("runs its branches from the state before, and joins what they found in their order", async () => {
    const run = await runScripted(
      `tools: [stock]
strategy:
  parallel:
    branches:
      nuts: { react: { id: find-nuts } }
      plan: { plan: { maxPlanSteps: 1 } }
`,
      ({ stage, messages }) => {
        if (stage === "plan") return { json: ONE_STEP };
        return messages.at(-1)?.role === "user" ? calling("stock", "nut") : "4 nuts";
      },
      { plugins: [stock] },
    );
    const { state } = run.outcome;
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4 nuts" } });
    expect(state.plan.goal).toBe("g");
    expect(state.observations.map(({ id }) => id)).toEqual(["nuts.observation-1"]);
    expect(state.results).toMatchObject({ "find-nuts": { ran: true }, plan: { ran: true } });
    expectSound(run);
  });

  const combined = `strategy:
  parallel:
    branches:
      left: { direct: { id: one } }
      right: { direct: { id: two } }
    combine:
      direct:
        id: both
        prompt: "{{ results.left.text }} and {{ results.right.text }}, {{ results.right.outcome }}"
`;

  it("lets `combine` read the result of each branch by its name, and nobody after it", async () => {
    const run = await runScripted(combined, ({ stage, messages }) => {
      return stage === "both" ? (messages.at(-1) as { text: string }).text : `from ${stage}`;
    });
    expect(run.outcome.answer.text).toBe("from one and from two, done");
    expect(Object.keys(run.outcome.state.results).toSorted()).toEqual([
      "both",
      "one",
      "parallel",
      "two",
    ]);
    expectSound(run);
  });

  it("goes on to `combine` after a branch that failed, and fails after it without one", async () => {
    const run = await runScripted(combined, ({ stage, messages }) => {
      if (stage === "two") return down;
      return stage === "both" ? (messages.at(-1) as { text: string }).text : "here";
    });
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "here and , failed" } });
    const failed = await runScripted(
      "strategy: { parallel: { branches: { left: direct, right: { plan: { maxPlanSteps: 1 } } } } }\n",
      ({ stage }) => (stage === "plan" ? down : "left"),
    );
    expect(failed.outcome).toMatchObject({ outcome: "failed", answer: { text: "left" } });
    expect(failed.outcome.reason).toContain("`right`: down");
  });
});

describe("fallback", () => {
  const body = `tools: [stock]
strategy:
  fallback:
    try:
      - { react: { id: fast } }
      - { direct: { id: sure } }
`;

  it("takes the first that ends well", async () => {
    const run = await runScripted(body, ["4"], { plugins: [stock] });
    expect(ran(run)).toEqual(["fast"]);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expectSound(run);
  });

  it("goes on to the next where one fails, and keeps what was found", async () => {
    let calls = 0;
    const run = await runScripted(
      body,
      ({ stage }) => {
        if (stage === "sure") return "sure: 4 [observation-1]";
        return calls++ === 0 ? calling("stock", "nut") : down;
      },
      { plugins: [stock] },
    );
    expect(run.outcome).toMatchObject({
      outcome: "done",
      answer: { text: "sure: 4 [observation-1]", evidence: ["observation-1"] },
    });
    expect(factsOf(run.events, "try.failed")).toMatchObject([{ try: 1, of: 2, reason: "down" }]);
    expectSound(run);
  });

  it("fails with the failure of the last", async () => {
    const refused = { error: { code: "provider-unauthorized", message: "no key" } } as const;
    const run = await runScripted(body, ({ stage }) => (stage === "fast" ? down : refused), {
      plugins: [stock],
    });
    expect(run.outcome).toMatchObject({
      outcome: "failed",
      fault: { code: "provider-unauthorized" },
    });
  });

  it("falls back from a limit that a try sets itself, not from one of the run", async () => {
    const own = await runScripted(
      `tools: [stock]
strategy: { fallback: { try: [ { react: { id: fast, limits: { toolCalls: 1 } } }, { direct: { id: sure } } ] } }
`,
      ({ stage }) => (stage === "fast" ? calling("stock", "nut", "bolt") : "sure"),
      { plugins: [stock] },
    );
    expect(own.outcome).toMatchObject({ outcome: "done", answer: { text: "sure" } });
    const whole = await runScripted(
      `${body}limits: { toolCalls: 1 }\n`,
      ({ stage, messages }) => {
        if (stage === "fast" && messages.at(-1)?.role === "user")
          return calling("stock", "nut", "bolt");
        return "partly";
      },
      { plugins: [stock] },
    );
    expect(ran(whole)).not.toContain("sure");
    expect(whole.outcome).toMatchObject({ outcome: "limited", answer: { text: "partly" } });
  });
});

const ONE_STEP = {
  goal: "g",
  constraints: [],
  conflicts: [],
  steps: [
    { id: "s", objective: "o", needsExternalInfo: false, successCondition: "c", dependsOn: [] },
  ],
};
