import { describe, expect, it } from "vitest";
import { eventNames } from "../events.ts";
import { runScripted } from "../promises/run-scripted.ts";
import { asked, planOf, step } from "./plan-drafts.ts";

const PS =
  "Let's first understand the problem and devise a plan to solve the problem. Then, let's carry out the plan to solve the problem step by step.";
const PS_PLUS =
  "Let's first understand the problem, extract relevant variables and  their corresponding numerals, and make a complete plan. Then, let's carry out the plan, calculate intermediate variables (pay attention to correct numerical calculation and commonsense), solve the problem step by step, and show the answer.";

describe("plan-and-solve", () => {
  it("plans, then carries the plan out in one call", async () => {
    const { outcome, requests, events } = await runScripted("strategy: plan-and-solve\n", [
      planOf(step("a")),
      "First a.\nIt is 4.",
    ]);
    expect(asked(requests[1] as never)).toContain("1. [a] do a; done when a stands; open");
    expect(outcome.answer).toMatchObject({ text: "It is 4.", reasoning: "First a." });
    expect(eventNames(events, { without: ["model-call.delta"] })).toEqual([
      "run.start",
      "stage.start plan-and-solve",
      "model-call.start",
      "model-call.end",
      "plan.made",
      "model-call.start",
      "model-call.end",
      "answer.given",
      "stage.end plan-and-solve",
      "run.end",
    ]);
  });

  it.each([
    ["ps", PS],
    ["ps-plus", PS_PLUS],
  ])(
    "%s sends the paper's prompt word for word, and takes the last line",
    async (style, trigger) => {
      const { outcome, requests } = await runScripted(
        `strategy: { plan-and-solve: { style: ${style} } }\n`,
        ["Plan: add.\nIt is 4."],
      );
      expect(requests).toHaveLength(1);
      expect(asked(requests[0] as never)).toContain(`\n\n${trigger}\n\n`);
      expect(outcome.answer).toMatchObject({ text: "It is 4.", reasoning: "Plan: add." });
      expect(outcome.state.plan.steps).toEqual([]);
    },
  );

  it("ps-plus fills a declared output", async () => {
    const { outcome } = await runScripted(
      "strategy: { plan-and-solve: { style: ps-plus } }\noutput: { fields: { total: integer } }\n",
      [
        {
          json: {
            reasoning: "2 + 2",
            total: 4,
            solvable: true,
            unsolvableReason: null,
            evidence: [],
          },
        },
      ],
    );
    expect(outcome).toMatchObject({ outcome: "done", value: { total: 4 } });
  });

  it("promises no answer where the stage in `do` writes none", async () => {
    const body = (combine: string) => `strategy:
  - plan-and-solve: { do: { for-each: { id: each, in: plan.steps, item: s, do: direct${combine} } } }
  - verify: { model: none, checks: [{ rule: { expr: "answer.text != ''", message: empty } }] }
`;
    await expect(runScripted(body(""), [])).rejects.toThrow("LW-FLOW-NEVER-WRITTEN");
    const { outcome } = await runScripted(
      body(", combine: { direct: { id: join } }"),
      ({ voice }) => (voice === "plan" ? planOf(step("a")) : "fine"),
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "fine" } });
  });

  it("leaves every step open where it solves in one call: nobody looked at its condition", async () => {
    const { outcome } = await runScripted("strategy: plan-and-solve\n", [
      planOf(step("a"), step("b")),
      "4",
    ]);
    expect(outcome.state.plan.steps.map(({ status }) => status)).toEqual(["open", "open"]);
  });

  it("says the words of a spec's own prompt in its voice", async () => {
    const { requests } = await runScripted(
      'strategy: { plan-and-solve: { style: ps, prompt: { solve: "Solve {{ task.text }}" } } }\n',
      ["4"],
    );
    expect(asked(requests[0] as never)).toBe("Solve Find out how much is in stock.");
  });

  it.each([
    ["style: ps, maxPlanSteps: 3", "`maxPlanSteps` has nothing to act on"],
    ["style: ps-plus, maxReplans: 0", "`maxReplans` has nothing to act on"],
    ["style: ps, do: direct", "`do` has nothing to act on"],
  ])("refuses what a plan in one text has no use for: %s", async (options, fault) => {
    await expect(runScripted(`strategy: { plan-and-solve: { ${options} } }\n`, [])).rejects.toThrow(
      fault,
    );
  });

  it("speaks Chinese where the spec does", async () => {
    const { requests } = await runScripted(
      "language: zh\nstrategy: [{ plan-and-solve: { id: one, style: ps-plus } }, { plan-and-solve: { id: two } }]\n",
      ["4", planOf(step("a")), "4"],
    );
    expect(asked(requests[0] as never)).toContain("提取相关变量及其对应的数值");
    expect(asked(requests[1] as never)).toContain("最多写 8 个步骤");
    expect(asked(requests[2] as never)).toContain("让我们按计划一步一步解决问题");
  });
});
