import type { ProviderRequest } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { runScripted } from "../promises/run-scripted.ts";
import { asked, factsOf, planOf, step } from "./plan-drafts.ts";

const down = { error: { code: "provider-failed", message: "down" } } as const;

function bodyOf(options: string): string {
  return `strategy:
  - plan: { ${options} }
  - for-each: { id: each, in: plan.steps, item: step, maxItems: 9, do: direct }
`;
}

/** A model whose first step goes well and whose others all fail; `again` is what it plans the nth time. */
function failing(again: (count: number) => ReturnType<typeof planOf>) {
  let count = -1;
  return (request: ProviderRequest) => {
    if (request.stage === "plan") return again(++count);
    return asked(request).includes("## Task\ndo a\n") ? "fine" : down;
  };
}

const first = planOf(step("a"), step("b", "a"));

describe("another plan", () => {
  it("is made at most maxReplans times", async () => {
    const { requests, events, outcome } = await runScripted(
      bodyOf("maxReplans: 2"),
      failing((count) => (count === 0 ? first : planOf(step(`b${count}`)))),
    );
    expect(requests.filter(({ stage }) => stage === "plan")).toHaveLength(3);
    expect(factsOf(events, "replan.refused")).toEqual([{ reason: "no further plan may be made" }]);
    expect(outcome.state.plan.steps.map(({ id, status }) => [id, status])).toEqual([
      ["a", "done"],
      ["b2", "failed"],
    ]);
  });

  it("is refused where it is the one that failed: that is no progress", async () => {
    const { requests, events } = await runScripted(
      bodyOf("maxReplans: 1"),
      failing(() => first),
    );
    expect(requests.filter(({ stage }) => stage === "plan")).toHaveLength(3);
    expect(asked(requests.at(-1) as never)).toContain("it makes no progress");
    expect(factsOf(events, "replan.refused")).toMatchObject([
      { reason: expect.stringContaining("it makes no progress") },
    ]);
  });

  it("is charged to the limits of the stage that made the first one, and those alone end it", async () => {
    const { requests, events, outcome } = await runScripted(
      bodyOf("maxReplans: 2, limits: { modelCalls: 2 }"),
      failing((count) => (count === 0 ? first : planOf(step(`b${count}`)))),
    );
    expect(requests.filter(({ stage }) => stage === "plan")).toHaveLength(2);
    expect(factsOf(events, "replan.refused")).toMatchObject([
      { reason: expect.stringContaining("modelCalls") },
    ]);
    expect(outcome.outcome).toBe("done");
    const limits = events.flatMap(({ name, data }) => (name === "limit.reached" ? [data] : []));
    expect(limits.at(-1)).toMatchObject({ limit: "stages.plan.modelCalls", soft: false, max: 2 });
  });

  it("does not repeat what is done", async () => {
    const repeated = { ...step("again"), objective: "Do A." };
    const { outcome, requests } = await runScripted(
      bodyOf("maxReplans: 1"),
      failing((count) => (count === 0 ? first : planOf(repeated, step("c", "again")))),
    );
    expect(requests.filter((request) => asked(request).includes("## Task\ndo a\n"))).toHaveLength(
      1,
    );
    expect(outcome.state.plan.steps.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ["a", []],
      ["c", ["a"]],
    ]);
  });

  it("has no more steps than are left of maxPlanSteps", async () => {
    const { requests } = await runScripted(
      bodyOf("maxReplans: 1, maxPlanSteps: 3"),
      failing((count) => (count === 0 ? first : planOf(step("c"), step("d")))),
    );
    const replan = requests.filter(({ stage }) => stage === "plan")[1] as ProviderRequest;
    expect(asked(replan)).toContain("Write at most 2 steps");
  });

  it("is asked for in the words of a spec's own prompt", async () => {
    const { requests } = await runScripted(
      bodyOf('maxReplans: 1, prompt: { replan: "Again, because {{ reason }}" }'),
      failing((count) => (count === 0 ? first : planOf(step("c")))),
    );
    const replan = requests.filter(({ stage }) => stage === "plan")[1] as ProviderRequest;
    expect(asked(replan)).toBe("Again, because [b] down");
  });

  it("comes from plan-and-solve for the stages in its `do`, in the language of the spec", async () => {
    const { requests, outcome, events } = await runScripted(
      `language: zh
strategy:
  plan-and-solve:
    do:
      for-each: { id: each, in: plan.steps, item: step, do: direct, combine: { direct: { id: join } } }
`,
      (request) => {
        if (request.stage === "join") return "joined";
        if (request.voice === "plan") return first;
        if (request.voice === "replan") return planOf(step("c", "a"));
        return asked(request).includes("do b\n") && !asked(request).includes("do c\n")
          ? down
          : "好";
      },
    );
    expect(requests.map(({ stage, voice }) => `${stage} ${voice}`)).toEqual([
      "plan-and-solve plan",
      "direct default",
      "direct default",
      "plan-and-solve replan",
      "direct default",
      "join default",
    ]);
    expect(asked(requests[3] as ProviderRequest)).toContain("无法照原样执行：[b] down");
    expect(asked(requests[4] as ProviderRequest)).toContain("第 2 步，共 2 步");
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "joined" } });
    expect(unbalanced(events)).toEqual([]);
  });

  it("is not to be had in a branch, which can't change the plan of the others", async () => {
    const { events, requests } = await runScripted(
      `strategy:
  - plan
  - parallel:
      branches:
        left: { for-each: { id: each, in: plan.steps, item: step, do: direct } }
        right: { for-each: { id: other, in: plan.steps, item: step, do: direct } }
`,
      failing(() => first),
    );
    expect(requests.filter(({ stage }) => stage === "plan")).toHaveLength(1);
    expect(factsOf(events, "replan.refused")).toHaveLength(2);
  });
});
