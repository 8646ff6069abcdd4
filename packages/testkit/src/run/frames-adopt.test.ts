import {
  defineStrategy,
  one,
  type Observation,
  type Plan,
  type PlanProgress,
  type SlotResult,
  type StateChange,
  type StrategyContext,
  type StrategyDefinition,
  timesBounds,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";
import { asked, factsOf, planOf, step } from "./plan-drafts.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);
const slots = { do: one({ description: "A child.", optional: true }) };
type Context = StrategyContext<typeof slots>;

function strategyOf(run: (context: Context) => Promise<StateChange | void>): StrategyDefinition {
  return defineStrategy({
    id: "own",
    description: "What a test does.",
    options: Type.Object({}),
    slots,
    flow: { uses: ["observations"], sets: ["answer"], maySet: ["observations", "candidates"] },
    bounds: (_options, children) => timesBounds(children.do, 1, 9),
    run: (_state, context) => run(context),
  });
}

const look = (context: Context, item: string): Promise<readonly Observation[]> =>
  context.callTools([{ id: item, name: "stock", arguments: JSON.stringify({ item }) }]);

/** A branch that observes, answers and leaves a candidate. */
const branchOf = (key: string) => ({
  key,
  run: async (inner: Context) => {
    const [seen] = await look(inner, key);
    const evidence = seen === undefined ? [] : [seen.id];
    return { answer: { text: key, evidence }, candidates: [{ id: key, text: key, evidence }] };
  },
});

const runOwn = (run: (context: Context) => Promise<StateChange | void>) =>
  runScripted("tools: [stock]\nstrategy: own\n", [], { plugins: [stock, strategyOf(run)] });

const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

describe("adopt", () => {
  it("refuses a result that core did not make", async () => {
    const forge = (result: SlotResult): SlotResult => {
      const [real] = result.state.observations;
      const observations = [{ ...(real as Observation), id: "observation-99" }];
      return { ...result, state: { ...result.state, observations } };
    };
    const { outcome } = await runOwn(async (context) => {
      const [result] = await context.fanOut([branchOf("a")]);
      context.adopt([forge(result as SlotResult)]);
      return { answer: { text: "9", evidence: ["observation-99"] } };
    });
    expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "contract-broken" } });
    expect(outcome.state.observations).toEqual([]);
  });

  it("refuses a result of another frame, and lets no result be written into", async () => {
    const nested = await runOwn(async (context) => {
      let inner: readonly SlotResult[] = [];
      const run = async (child: Context) => {
        inner = await child.fanOut([branchOf("b")]);
      };
      await context.fanOut([{ key: "a", run }]);
      context.adopt(inner);
    });
    expect(nested.outcome.fault?.code).toBe("contract-broken");
    const written = await runOwn(async (context) => {
      const [result] = await context.fanOut([branchOf("a")]);
      (result as { state: unknown }).state = context.state;
    });
    expect(written.outcome.outcome).toBe("failed");
  });

  it("keeps what branches observed when the stage itself observed something before it adopts", async () => {
    const { outcome } = await runOwn(async (context) => {
      const results = await context.fanOut([branchOf("a"), branchOf("b")]);
      await look(context, "own");
      context.adopt(results, results[1]);
    });
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "b" } });
    expect(ids(outcome.state.observations)).toEqual([
      "observation-1",
      "a.observation-1",
      "b.observation-1",
    ]);
  });

  it("adds a result that is adopted twice once, and a picked one that is not in the list too", async () => {
    const { outcome } = await runOwn(async (context) => {
      const results = await context.fanOut([branchOf("a"), branchOf("b")]);
      context.adopt(results.slice(0, 1), results[1]);
      context.adopt(results, results[0]);
    });
    expect(ids(outcome.state.observations)).toEqual(["a.observation-1", "b.observation-1"]);
    expect(ids(outcome.state.candidates)).toEqual(["a", "b"]);
    expect(outcome.answer).toMatchObject({ text: "a", revision: 2 });
  });

  it("adds nothing for a slot that ran on the stage's own state, and can go back to its answer", async () => {
    const trying = strategyOf(async (context) => {
      const first = await context.tryRunSlot("do");
      await context.tryRunSlot("do");
      context.adopt([first], first);
    });
    const { outcome } = await runScripted(
      "tools: [stock]\nstrategy: { own: { do: react } }\n",
      [calling("stock", "nut"), "4", "five"],
      { plugins: [stock, trying] },
    );
    expect(ids(outcome.state.observations)).toEqual(["observation-1"]);
    expect(outcome.answer).toMatchObject({ text: "4", revision: 3 });
  });

  it("records no observation that a strategy writes into what was adopted", async () => {
    const { outcome } = await runOwn(async (context) => {
      context.adopt(await context.fanOut([branchOf("a")]));
      (context.state.observations as unknown as object[]).push({ id: "observation-99" });
    });
    expect(outcome.outcome).toBe("failed");
    expect(ids(outcome.state.observations)).toEqual(["a.observation-1"]);
  });

  it("gives every observation of a run its own id, also those of branches that nobody adopted", async () => {
    const { outcome, events } = await runOwn(async (context) => {
      await context.fanOut([branchOf("a")]);
      const nested = {
        key: "b",
        run: async (inner: Context) => {
          inner.adopt(await inner.fanOut([branchOf("c")]));
        },
      };
      context.adopt(await context.fanOut([branchOf("a"), nested]));
      return { answer: { text: "4 [2.a.observation-1]", evidence: ["2.a.observation-1"] } };
    });
    expect(outcome.outcome).toBe("done");
    expect(ids(outcome.state.observations)).toEqual(["2.a.observation-1", "b.c.observation-1"]);
    const told = events.flatMap((event) =>
      event.name === "observation.recorded" ? [event.data.id] : [],
    );
    expect(told).toEqual(["a.observation-1", "2.a.observation-1", "b.c.observation-1"]);
  });
});

describe("what branches tell of the plan", () => {
  const stepOf = (id: string) => ({
    id,
    objective: `do ${id}`,
    needsExternalInfo: false,
    successCondition: `${id} stands`,
    dependsOn: [],
    status: "open" as const,
    evidence: [],
  });
  const plan: Plan = {
    goal: "g",
    constraints: [],
    conflicts: [],
    steps: [stepOf("a"), stepOf("b"), stepOf("c")],
  };
  const ends = (key: string, ...told: readonly (readonly [string, PlanProgress["status"]])[]) => ({
    key,
    run: async (inner: Context) => {
      const seen = await look(inner, key);
      const evidence = ids(seen);
      const because = `${key} said so`;
      return { progress: told.map(([id, status]) => ({ step: id, status, evidence, because })) };
    },
  });
  const runPlanned = (run: (context: Context) => Promise<void>) =>
    runOwn(async (context) => {
      context.save({ plan });
      await run(context);
    });
  const statuses = (steps: Plan["steps"]) => steps.map(({ status }) => status).join(" ");

  it("is merged step by step, also of those that are not picked", async () => {
    const { outcome } = await runPlanned(async (context) => {
      const results = await context.fanOut([
        ends("l", ["a", "done"]),
        ends("m", ["b", "failed"]),
        ends("r", ["c", "done"]),
      ]);
      context.adopt(results.slice(0, 2), results[1]);
    });
    expect(statuses(outcome.state.plan.steps)).toBe("done failed open");
    expect(outcome.state.planRevision).toBe(1);
    expect(outcome.state.plan.steps.map(({ evidence }) => evidence)).toEqual([
      ["l.observation-1"],
      ["m.observation-1"],
      [],
    ]);
  });

  it("holds as the one that claims least where they say different things, and that is told last", async () => {
    const { outcome, events } = await runPlanned(async (context) => {
      const results = await context.fanOut(
        [
          ends("l", ["a", "failed"], ["b", "done"]),
          ends("m", ["a", "done"], ["b", "open"]),
          ends("r", ["b", "done"], ["c", "done"]),
          ends("s", ["c", "done"]),
        ],
        { maxParallel: 1 },
      );
      for (const result of results) context.adopt([result]);
    });
    const { steps } = outcome.state.plan;
    expect(statuses(steps)).toBe("failed open done");
    expect(steps[2]?.evidence).toEqual(["r.observation-1", "s.observation-1"]);
    const last = new Map<unknown, unknown>();
    for (const { name, data } of events)
      if (name === "plan-step.ended") last.set(data.step, data.status);
    expect([...last.values()].join(" ")).toBe("failed open done");
  });

  it("is left out where the plan is another one meanwhile", async () => {
    const other = { ...plan, steps: [stepOf("a"), stepOf("d")] };
    const { outcome } = await runPlanned(async (context) => {
      const again = { key: "r", run: async () => ({ plan: other }) };
      const results = await context.fanOut([ends("l", ["a", "done"]), again]);
      context.adopt(results, results[1]);
      const [late] = await context.fanOut([ends("t", ["d", "done"])]);
      context.save({ plan });
      context.adopt([late as SlotResult]);
    });
    expect(statuses(outcome.state.plan.steps)).toBe("open open open");
    expect(outcome.state.planRevision).toBe(3);
  });

  it("is in the state behind branches that act on it at once", async () => {
    const strategy = `tools: [calculator]
strategy:
  - plan
  - parallel:
      branches: { l: { react: { id: l, maxSteps: 3 } }, r: { react: { id: r, maxSteps: 3 } } }
      combine: { direct: { id: z } }
`;
    const { outcome } = await runScripted(strategy, ({ stage, messages }) => {
      if (stage === "plan") return planOf(step("a"), step("b"));
      if (stage === "z" || messages.some(({ role }) => role === "tool")) return "fine";
      const done = { step: stage === "l" ? "a" : "b", status: "done", because: "it stands" };
      return { calls: [{ name: "update_plan", arguments: done }] };
    });
    expect(statuses(outcome.state.plan.steps)).toBe("done done");
  });
});

describe("a plan that was adopted", () => {
  it("is made again by the stage of the branch that made it, as often as is left", async () => {
    const strategy = `strategy:
  - parallel: { branches: { l: { plan: { maxReplans: 1 } }, r: { direct: { id: r } } } }
  - for-each: { id: each, in: plan.steps, item: step, maxItems: 9, do: direct }
`;
    let count = 0;
    const { requests, events } = await runScripted(strategy, (request) => {
      if (request.stage === "plan") return planOf(step("a"), step(`b${(count += 1)}`));
      return request.stage === "direct" && !asked(request).includes("## Task\ndo a\n")
        ? { error: { code: "provider-failed", message: "down" } }
        : "fine";
    });
    expect(requests.filter(({ stage }) => stage === "plan")).toHaveLength(2);
    expect(factsOf(events, "replan.refused")).toEqual([{ reason: "no further plan may be made" }]);
  });
});

describe("an answer that was cut short", () => {
  it("says why in the result of its branch, and in the run that takes it", async () => {
    const reasons: (string | undefined)[] = [];
    const short = {
      key: "a",
      run: async () => ({ answer: { text: "4" }, result: { cutShort: "one shelf was not seen" } }),
    };
    const { outcome } = await runOwn(async (context) => {
      const results = await context.fanOut([short, branchOf("b")]);
      reasons.push(...results.map(({ cutShort }) => cutShort));
      context.adopt(results, results[0]);
    });
    expect(reasons).toEqual(["one shelf was not seen", undefined]);
    expect(outcome).toMatchObject({
      outcome: "done",
      reason: "the answer was cut short: in `own` one shelf was not seen",
    });
  });
});

describe("a thread that was adopted", () => {
  const issue = (detail: string) => ({
    kind: "unsupported-claim",
    detail,
    requiredAction: "Look it up.",
    needs: "evidence",
  });
  const judged = (outcome: string, ...details: readonly string[]) => ({
    json: { outcome, issues: details.map(issue), supportedEvidence: [] },
  });

  it("is told the draft and the issues that are newer than it", async () => {
    const sample = ["first", judged("revise", "inner issue"), "second", judged("pass")];
    const { outcome, requests } = await runScripted(
      `strategy:
  - self-consistency:
      samples: 2
      maxParallel: 1
      do:
        - react
        - verify: { revise: chain-of-thought }
  - verify: { id: outer, revise: { react: { id: mend } } }
`,
      [...sample, ...sample, judged("revise", "outer issue"), "third", judged("pass")],
    );
    expect(outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      answer: { text: "third", revision: 3 },
    });
    const told = requests.find(({ stage }) => stage === "mend")?.messages.at(-1)?.text ?? "";
    expect(told).toContain("outer issue");
    expect(told).toContain("second");
  });

  it("knows a verdict of its branch as stale", async () => {
    const { outcome } = await runScripted(
      "strategy: { self-consistency: { samples: 2, maxParallel: 1, do: [direct, verify, chain-of-thought] } }\n",
      ["first", judged("revise", "i"), "second", "first", judged("revise", "i"), "second"],
    );
    expect(outcome).toMatchObject({
      verified: "stale",
      answer: { text: "second", revision: 2 },
      state: { verdict: { answerRevision: 1 } },
    });
  });
});
