import {
  defineStrategy,
  defineTool,
  type PlanStep,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";
import type { RunEvent } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { eventNames } from "../events.ts";
import { runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";

type ModeName = "native" | "structured" | "text";

function stepOf(id: string, needsExternalInfo: boolean): PlanStep {
  return {
    id,
    objective: `do ${id}`,
    needsExternalInfo,
    successCondition: `${id} is known`,
    dependsOn: [],
    status: "open",
    evidence: [],
  };
}

/** A stage that plans without a model, and plans anew once where it is asked to. */
const planner: StrategyDefinition = defineStrategy({
  id: "planner",
  description: "Plans two steps.",
  options: Type.Object({ maxReplans: Type.Integer({ default: 1 }) }),
  flow: { sets: ["plan"] },
  bounds: () => ({ generations: [0, 0], toolCalls: [0, 0] }),
  run: async (_state, context, { maxReplans }) => {
    const plan = { goal: "count", constraints: [], conflicts: [] };
    context.offerReplan(maxReplans, async () => ({ ...plan, steps: [stepOf("other", false)] }));
    return { plan: { ...plan, steps: [stepOf("nuts", true), stepOf("sum", false)] } };
  },
});

/** Writes what the model thinks, and perhaps that another plan is wanted. */
const ponder = defineTool({
  id: "ponder",
  description: "Writes a thought down.",
  options: Type.Object({}),
  input: Type.Object({ thought: Type.String(), changePlan: Type.Optional(Type.String()) }),
  effect: "read",
  thought: true,
  create: () => () => "noted",
});

const stock = toolOf("stock", (item) => `${item}: 4`);

interface Ended {
  readonly step: string;
  readonly status: "done" | "failed";
  readonly evidence?: readonly string[];
  readonly because: string;
}

/** What a model says in one step, as a mode writes it. */
const WRITE: Readonly<Record<ModeName, (name: string, input: object) => object>> = {
  native: (name, input) => ({ calls: [{ name, arguments: input }] }),
  structured: (name, input) => ({
    text: JSON.stringify(
      name === "update_plan"
        ? { thought: "", plan: [{ evidence: [], ...input }] }
        : { thought: "", calls: [{ tool: name, arguments: JSON.stringify(input) }] },
    ),
  }),
  text: (name, input) => ({ text: `Action: ${name}\nAction Input: ${JSON.stringify(input)}` }),
};

const ANSWER: Readonly<Record<ModeName, object>> = {
  native: { text: "4" },
  structured: { text: JSON.stringify({ thought: "", final: { answer: "4", evidence: [] } }) },
  text: { text: "Final Answer: 4" },
};

type Deed = readonly [name: string, input: object];

const end = (ended: Ended): Deed => ["update_plan", ended];

function act(mode: ModeName, deeds: readonly Deed[], maxReplans = 1): Promise<ScriptedRun> {
  const replies = [...deeds.map(([name, input]) => WRITE[mode](name, input)), ANSWER[mode]];
  return runScripted(
    `tools: [stock, ponder]\nstrategy: [{ planner: { maxReplans: ${maxReplans} } }, { react: { mode: ${mode} } }]\n`,
    replies,
    { plugins: [stock, ponder, planner] },
  );
}

function dataOf(events: readonly RunEvent[], name: RunEvent["name"]): readonly unknown[] {
  return events.flatMap((event) => (event.name === name ? [event.data] : []));
}

/** The last message of each request. */
const toldIn = ({ requests }: ScriptedRun): readonly string[] =>
  requests.map(({ messages }) => messages.at(-1)?.text ?? "");

const DONE: Ended = {
  step: "nuts",
  status: "done",
  evidence: ["observation-1"],
  because: "observation-1 says 4",
};

describe.each(["native", "structured", "text"] as const)("a plan in mode %s", (mode) => {
  it("keeps which steps are done, and by what", async () => {
    const run = await act(mode, [["stock", { item: "nut" }], end(DONE)]);
    expect(dataOf(run.events, "plan-step.ended")).toEqual([DONE]);
    expect(run.outcome.state.plan.steps).toMatchObject([
      { id: "nuts", status: "done", evidence: ["observation-1"], because: DONE.because },
      { id: "sum", status: "open" },
    ]);
    expect(run.outcome.state.planRevision).toBe(1);
    expect(toldIn(run)[2]).toContain("noted: nuts is done");
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(eventNames(run.events)).not.toContain("tool-call.start update_plan");
  });

  it.each<readonly [string, Ended, string]>([
    ["without evidence from outside", { ...DONE, evidence: [] }, "needs information from outside"],
    [
      "by evidence that nobody observed",
      { ...DONE, evidence: ["observation-9"] },
      "was never observed",
    ],
    ["without saying how", { ...DONE, because: " " }, "nuts is known"],
    ["that the plan does not have", { ...DONE, step: "bolts" }, "its steps are nuts, sum"],
  ])("is told why a step %s is not done", async (_name, ended, why) => {
    const run = await act(mode, [["stock", { item: "nut" }], end(ended)]);
    expect(dataOf(run.events, "plan-step.ended")).toEqual([]);
    expect(toldIn(run)[2]).toContain(`not noted: `);
    expect(toldIn(run)[2]).toContain(why);
    expect(run.outcome.outcome).toBe("done");
  });

  it("is made anew where a step has failed", async () => {
    const run = await act(mode, [
      end({ step: "nuts", status: "failed", because: "the shop is shut" }),
    ]);
    expect(dataOf(run.events, "plan.revised")).toHaveLength(1);
    expect(run.outcome.state.plan.steps).toMatchObject([{ id: "other", status: "open" }]);
    expect(toldIn(run)[1]).toContain("do other");
  });

  it("stays where no other is to be had, and the model is told why", async () => {
    const failed = end({ step: "nuts", status: "failed", because: "the shop is shut" });
    const run = await act(mode, [failed], 0);
    expect(dataOf(run.events, "plan.revised")).toEqual([]);
    expect(toldIn(run)[1]).toContain("no further plan may be made");
    expect(run.outcome.state.plan.steps[0]).toMatchObject({ id: "nuts", status: "failed" });
  });

  it("is made anew where a thought asks for it", async () => {
    const thought = { thought: "The shop is shut.", changePlan: "ask elsewhere" };
    const run = await act(mode, [["ponder", thought]]);
    expect(dataOf(run.events, "plan.revised")).toHaveLength(1);
    expect(toldIn(run)[1]).toContain("do other");
    expect(run.outcome.state.observations).toMatchObject([{ isThought: true }]);
  });
});

describe("what a reply says of a plan that it has replaced", () => {
  const both = (...inputs: readonly Ended[]) => ({
    calls: inputs.map((ended) => ({ name: "update_plan", arguments: { ...ended } })),
  });
  const again: PlanStep = { ...stepOf("sum", false), objective: "another thing of the same name" };
  const twin: StrategyDefinition = defineStrategy({
    id: "twin",
    description: "Plans two steps, and then one of the same id.",
    options: Type.Object({}),
    flow: { sets: ["plan"] },
    bounds: () => ({ generations: [0, 0], toolCalls: [0, 0] }),
    run: async (_state, context) => {
      const plan = { goal: "count", constraints: [], conflicts: [] };
      context.offerReplan(2, async () => ({ ...plan, steps: [again] }));
      return { plan: { ...plan, steps: [stepOf("nuts", false), stepOf("sum", false)] } };
    },
  });
  const done: Ended = { step: "sum", status: "done", because: "summed" };
  const failed: Ended = { step: "nuts", status: "failed", because: "the shop is shut" };
  const pondered = {
    name: "ponder",
    arguments: { thought: "The shop is shut.", changePlan: "ask elsewhere" },
  };

  it.each([
    ["a failed step", both(failed, done)],
    ["a thought", { calls: [pondered, ...both(done).calls] }],
    ["a thought, which a second one would do again", { calls: [pondered, pondered] }],
  ])("counts for nothing, and the model is told so: after %s", async (_name, reply) => {
    const run = await runScripted(
      "tools: [stock, ponder]\nstrategy: [{ twin: {} }, { react: {} }]\n",
      [reply, "4"],
      { plugins: [stock, ponder, twin] },
    );
    expect(run.outcome.state.plan.steps).toMatchObject([
      { objective: again.objective, status: "open" },
    ]);
    expect(dataOf(run.events, "plan.revised")).toHaveLength(1);
    expect(toldIn(run)[1]).toContain("not noted: the plan has changed; say it again");
  });

  it("counts where the plan stays", async () => {
    const run = await runScripted(
      "tools: [stock]\nstrategy: [{ planner: { maxReplans: 0 } }, { react: {} }]\n",
      [both(failed, done), "4"],
      { plugins: [stock, planner] },
    );
    expect(run.outcome.state.plan.steps.map(({ status }) => status)).toEqual(["failed", "done"]);
  });
});

describe("the call that ends steps of a plan", () => {
  it("is no tool call, but uses up its step", async () => {
    const ends = Array.from({ length: 9 }, () => end(DONE));
    const run = await act("native", ends);
    expect(dataOf(run.events, "step.start")).toHaveLength(8);
    expect(dataOf(run.events, "tool-call.start")).toEqual([]);
    expect(run.outcome.spending.toolCalls).toBe(0);
  });

  it("is not offered without a plan, nor where a tool has its name", async () => {
    const bare = await runScripted("tools: [stock]\nstrategy: react\n", ["4"], {
      plugins: [stock],
    });
    expect(bare.requests[0]?.tools.map(({ name }) => name)).toEqual(["stock"]);
    const named = toolOf("update_plan", () => "mine");
    const run = await runScripted(
      "tools: [update_plan]\nstrategy: [planner, react]\n",
      [{ calls: [{ name: "update_plan", arguments: { item: "x" } }] }, "4"],
      { plugins: [named, planner] },
    );
    expect(run.requests[0]?.tools).toHaveLength(1);
    expect(run.outcome.state.observations).toMatchObject([{ content: "mine" }]);
  });
});
