import type { ProviderRequest } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";
import { asked, factsOf, planOf, step } from "./plan-drafts.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);
const down = { error: { code: "provider-failed", message: "down" } } as const;

const EACH = `strategy:
  - plan: { maxPlanSteps: 4 }
  - for-each: { id: each, in: plan.steps, item: step, do: direct }
`;

/** Which step of the plan a request is about. */
function stepIn(request: ProviderRequest): string {
  return /## Task\ndo (\S+)/u.exec(asked(request))?.[1] ?? "";
}

describe("for-each over plan.steps", () => {
  it("tells each stage its objective, its place, its condition and what it builds on", async () => {
    const { outcome, requests } = await runScripted(EACH, (request) =>
      request.stage === "plan"
        ? planOf(step("a"), step("b"), step("c", "a"))
        : `${stepIn(request)} is fine`,
    );
    const prompts = requests.slice(1).map(asked);
    expect(prompts[2]).toContain("## Task\ndo c\n");
    expect(prompts[2]).toContain("This is step 3 of 3 of a larger task.");
    expect(prompts[2]).toContain("The whole task: Find out how much is in stock.");
    expect(prompts[2]).toContain("Done when: c stands");
    expect(prompts[2]).toContain("What the steps it builds on came to:\n- [a] a is fine");
    expect(prompts[2]).not.toContain("- [b] b is fine");
    expect(prompts[0]).not.toContain("came to");
    expect(outcome.state.task).not.toHaveProperty("part");
  });

  it("keeps a spec's own task as it is, and the part beside it", async () => {
    const { outcome, requests } = await runScripted(
      EACH.replace("item: step,", 'item: step, task: "{{ step.id }}!",').replace(
        "do: direct",
        'do: { direct: { prompt: "{{ task.text }} {{ task.part }}" } }',
      ),
      (request) => (request.stage === "plan" ? planOf(step("a")) : "fine"),
    );
    expect(asked(requests[1] as never)).toMatch(/^a! This is step 1 of 1 of a larger task/u);
    expect(outcome.state.results["each"]?.items).toMatchObject([{ key: "a", task: "a!" }]);
  });

  it("ends a plan step with the observations that its answer cites", async () => {
    const { outcome, events } = await runScripted(
      EACH.replace("do: direct", "do: react").replace("strategy:", "tools: [stock]\nstrategy:"),
      (request) => {
        if (request.stage === "plan") return planOf(step("a"), step("b"));
        if (request.messages.at(-1)?.role === "user") return calling("stock", "bolt", "nut");
        return stepInThread(request) === "a" ? "4 [item:1.observation-2]" : "4";
      },
      { plugins: [stock] },
    );
    expect(outcome.state.plan.steps).toMatchObject([
      {
        id: "a",
        status: "done",
        evidence: ["item:1.observation-2"],
        because: expect.stringContaining("4"),
      },
      { id: "b", status: "done", evidence: [] },
    ]);
    expect(eventNames(events).filter((name) => name.startsWith("plan"))).toEqual([
      "plan.made",
      "plan-step.ended",
      "plan-step.ended",
    ]);
  });

  it("has the plan made again when a step fails, and goes on with its open steps", async () => {
    const run = await runScripted(EACH, (request) => {
      if (request.stage === "plan")
        return asked(request).includes("can't be carried out")
          ? planOf(step("b2", "a"), step("c2", "b2"))
          : planOf(step("a"), step("b", "a"), step("c", "b"));
      return stepIn(request) === "b" ? down : `${stepIn(request)} is fine`;
    });
    const { outcome, events, requests } = run;
    expect(outcome.state.plan.steps.map(({ id, status }) => [id, status])).toEqual([
      ["a", "done"],
      ["b2", "done"],
      ["c2", "done"],
    ]);
    expect(outcome.state.results["each"]?.items?.map(({ key, ok }) => [key, ok])).toEqual([
      ["a", true],
      ["b", false],
      ["b2", true],
      ["c2", true],
    ]);
    const replan = requests.filter(({ stage }) => stage === "plan")[1] as ProviderRequest;
    expect(replan.voice).toBe("replan");
    expect(asked(replan)).toContain("[b] down");
    expect(asked(replan)).toContain("1. [a] do a; done when a stands; done: a is fine");
    expect(asked(replan)).toContain("Write at most 2 steps");
    const last = asked(requests.at(-1) as ProviderRequest);
    expect(last).toContain("step 3 of 3");
    expect(last).toContain("- [b2] b2 is fine");
    expect(factsOf(events, "dependencies.ignored")).toEqual([]);
    expect(eventNames(events).filter((name) => name.startsWith("plan"))).toEqual([
      "plan.made",
      "plan-step.ended",
      "plan-step.ended",
      "plan.revised",
      "plan-step.ended",
      "plan-step.ended",
    ]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("takes an answer that a step can't be done for its failure, and tells those that build on it", async () => {
    const body = EACH.replace("maxPlanSteps: 4", "maxReplans: 0").replace(
      "do: direct",
      "do: direct, combine: { direct: { id: join } }",
    );
    const { outcome, requests } = await runScripted(
      `${body}output: { fields: { count: integer } }\n`,
      (request) => {
        if (request.stage === "plan") return planOf(step("a"), step("b", "a"));
        const answer = { count: 4, evidence: [], solvable: true, unsolvableReason: null };
        if (stepIn(request) !== "a") return { json: answer };
        return { json: { ...answer, count: null, solvable: false, unsolvableReason: "no stock" } };
      },
    );
    expect(outcome.state.plan.steps).toMatchObject([
      { id: "a", status: "failed", because: "no stock" },
      { id: "b", status: "done" },
    ]);
    expect(asked(requests.at(-2) as ProviderRequest)).toContain("- [a] failed: no stock");
  });

  it("runs never more than maxItems items, whatever is planned again", async () => {
    const { requests, outcome } = await runScripted(
      EACH.replace("item: step,", "item: step, maxItems: 3,"),
      (request) => {
        const again = requestsOf(request);
        if (request.stage !== "plan") return stepIn(request) === "a" ? "fine" : down;
        return again === 0 ? planOf(step("a"), step("b")) : planOf(step(`b${again}`));
      },
    );
    expect(requests.filter(({ stage }) => stage === "direct")).toHaveLength(3);
    expect(outcome.state.results["each"]?.items).toHaveLength(3);
  });

  it("goes on with the plan it has where no other one comes", async () => {
    const body = EACH.replace("maxPlanSteps: 4", "maxReplans: 0");
    const { outcome, events } = await runScripted(body, (request) => {
      if (request.stage === "plan") return planOf(step("a"), step("b"), step("c", "a"));
      return stepIn(request) === "a" ? down : "fine";
    });
    expect(outcome.state.plan.steps.map(({ status }) => status)).toEqual([
      "failed",
      "done",
      "open",
    ]);
    expect(outcome.state.results["each"]?.items).toMatchObject([
      { key: "a", ok: false, reason: "down" },
      { key: "b", ok: true },
      { key: "c", ok: false, reason: expect.stringContaining("left out") },
    ]);
    expect(factsOf(events, "replan.refused")).toEqual([
      { reason: "no stage here makes the plan again" },
    ]);
  });
});

/** How often the plan in a request has been made again, by the ids of its failed steps. */
function requestsOf(request: ProviderRequest): number {
  return asked(request).includes("can't be carried out") ? 1 : 0;
}

function stepInThread({ messages }: ProviderRequest): string {
  const told = messages.find(({ role }) => role === "user")?.text ?? "";
  return /## Task\ndo (\S+)/u.exec(told)?.[1] ?? "";
}
