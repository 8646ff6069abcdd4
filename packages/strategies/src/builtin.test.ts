import { readdirSync } from "node:fs";
import { ABSENT, type Bounds, type StrategyDefinition } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { strategies } from "./builtin.ts";

const ids = strategies.entries.map(({ id }) => id);

async function load(id: string): Promise<StrategyDefinition> {
  const entry = strategies.entries.find((candidate) => candidate.id === id);
  return (await entry?.load()) as StrategyDefinition;
}

async function boundsOf(id: string, options: object, children: object = {}): Promise<Bounds> {
  return (await load(id)).bounds(options as never, children as never);
}

const method = "judge";
const child: Bounds = { generations: [1, 3], toolCalls: [0, 4] };

describe("the built-in strategies", () => {
  it("are one file each, called after its id", () => {
    const files = [new URL("./", import.meta.url), new URL("./control/", import.meta.url)]
      .flatMap((folder) => readdirSync(folder))
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => file.slice(0, -3))
      .filter((name) => name !== "builtin" && name !== "index");
    expect(ids.toSorted()).toEqual(files.toSorted());
  });

  it.each(ids)("%s describes itself, its options and its slots", async (id) => {
    const definition = await load(id);
    expect(definition).toMatchObject({ kind: "strategy", id });
    const described = [
      definition,
      ...Object.values(definition.options.properties),
      ...Object.values(definition.slots),
    ];
    for (const { description } of described) expect(description).toMatch(/\.$/);
  });
});

describe("bounds", () => {
  it("react answers on its last step, so it calls tools on all others", async () => {
    const bounds = await boundsOf("react", { maxSteps: 6, maxCallsPerStep: 3 });
    expect(bounds).toEqual({ generations: [1, 6], toolCalls: [0, 15] });
  });

  it("verify judges once more than it revises", async () => {
    const bounds = await boundsOf("verify", { method, maxRounds: 2 }, { revise: child });
    expect(bounds).toEqual({ generations: [0, 9], toolCalls: [0, 8] });
    expect((await boundsOf("verify", { method }, { revise: child })).generations).toEqual([0, 5]);
    expect((await boundsOf("verify", { method }, { revise: ABSENT })).generations).toEqual([0, 1]);
  });

  it("self-consistency multiplies its child, less where it may stop early", async () => {
    const options = { samples: 5, stopEarly: false };
    expect((await boundsOf("self-consistency", options, { do: child })).generations).toEqual([
      5, 15,
    ]);
    const early = { samples: 5, stopEarly: true };
    expect((await boundsOf("self-consistency", early, { do: child })).generations).toEqual([3, 15]);
  });

  it("plan-and-solve counts its solving call only where nothing else does the work", async () => {
    const once = { style: "structured", maxReplans: 0 };
    expect((await boundsOf("plan-and-solve", once, { do: ABSENT })).generations).toEqual([2, 3]);
    expect((await boundsOf("plan-and-solve", once, { do: child })).generations).toEqual([2, 5]);
  });

  it("a plan may be drafted twice, and made again as often as it may be", async () => {
    const report = { maxReplans: 0, onConflict: "report" };
    expect((await boundsOf("plan", report)).generations).toEqual([1, 2]);
    expect((await boundsOf("plan", { ...report, maxReplans: 2 })).generations).toEqual([1, 6]);
    const asking = { maxReplans: 2, onConflict: "ask" };
    expect((await boundsOf("plan", asking)).generations).toEqual([1, 8]);
    const again = { style: "structured", maxReplans: 2 };
    expect((await boundsOf("plan-and-solve", again, { do: ABSENT })).generations).toEqual([2, 7]);
  });

  it("plan-and-solve in one text is one call", async () => {
    for (const style of ["ps", "ps-plus"])
      expect(
        (await boundsOf("plan-and-solve", { style, maxReplans: 2 }, { do: ABSENT })).generations,
      ) //
        .toEqual([1, 1]);
  });

  it("verify by questions counts asking, answering and comparing, or the stage that answers", async () => {
    const bounds = async (cove: string, answer: Bounds) =>
      (await boundsOf("verify", { method: cove, maxQuestions: 4 }, { revise: ABSENT, answer }))
        .generations;
    expect(await bounds("cove-joint", ABSENT)).toEqual([0, 2]);
    expect(await bounds("cove-two-step", ABSENT)).toEqual([0, 3]);
    expect(await bounds("cove-factored", ABSENT)).toEqual([0, 6]);
    expect(await bounds("cove-revise", ABSENT)).toEqual([0, 10]);
    expect(await bounds("cove-factored", child)).toEqual([0, 14]);
  });

  it("branch, choose and fallback cost one of their ways, parallel all of them", async () => {
    const dear: Bounds = { generations: [2, 5], toolCalls: [0, 1] };
    const both: Bounds = { generations: [3, 8], toolCalls: [0, 5], children: [child, dear] };
    const least = async (id: string, options: object, children: object) =>
      (await boundsOf(id, options, children)).generations;
    const either = (first: Bounds, second: Bounds) =>
      Object.fromEntries([
        // oxlint-disable-next-line no-thenable -- the slot is called so
        ["then", first],
        ["else", second],
      ]);
    expect(await least("branch", {}, either(child, dear))).toEqual([1, 5]);
    expect(await least("branch", {}, either(dear, ABSENT))).toEqual([0, 5]);
    expect(await least("choose", {}, { cases: both })).toEqual([2, 6]);
    expect(await least("fallback", {}, { try: both })).toEqual([1, 8]);
    expect(await least("parallel", {}, { branches: both, combine: dear })).toEqual([5, 13]);
  });

  it("rewoo plans, sends a plan back once, asks the model in few steps, and solves", async () => {
    const bounds = async (maxModelCalls: number) =>
      await boundsOf("rewoo", { maxSteps: 8, maxModelCalls });
    expect(await bounds(0)).toEqual({ generations: [1, 3], toolCalls: [0, 8] });
    expect(await bounds(2)).toEqual({ generations: [1, 5], toolCalls: [0, 8] });
  });

  it("plan-graph plans, sends a plan back once, and joins in every round", async () => {
    const bounds = async (maxReplans: number) =>
      await boundsOf("plan-graph", { maxTasks: 12, maxReplans });
    expect(await bounds(0)).toEqual({ generations: [1, 3], toolCalls: [0, 12] });
    expect(await bounds(1)).toEqual({ generations: [1, 6], toolCalls: [0, 24] });
    expect(await bounds(3)).toEqual({ generations: [1, 12], toolCalls: [0, 48] });
  });

  it("abduce proposes, chooses and weighs in every round, and concludes", async () => {
    expect(await boundsOf("abduce", { maxHypotheses: 5, maxRounds: 4 })).toEqual({
      generations: [1, 10],
      toolCalls: [0, 4],
    });
  });

  it("for-each runs its stage for no item up to all, then combines", async () => {
    const children = { do: child, combine: { generations: [1, 1], toolCalls: [0, 0] } };
    expect(await boundsOf("for-each", { maxItems: 3 }, children)).toEqual({
      generations: [1, 10],
      toolCalls: [0, 12],
    });
  });

  it("least-to-most decomposes once, then answers one question up to all", async () => {
    const bounds = (solving: Bounds) =>
      boundsOf("least-to-most", { maxSubquestions: 4 }, { do: solving });
    expect((await bounds(ABSENT)).generations).toEqual([2, 5]);
    expect(await bounds(child)).toEqual({ generations: [2, 13], toolCalls: [0, 16] });
  });

  it("step-back calls twice, and once more for the answer to its question", async () => {
    const bounds = async (abstraction: string | undefined, look: Bounds) =>
      (await boundsOf("step-back", { abstraction }, { do: look })).generations;
    expect(await bounds("principles", ABSENT)).toEqual([2, 2]);
    expect(await bounds(undefined, ABSENT)).toEqual([2, 2]);
    expect(await bounds("question", ABSENT)).toEqual([2, 3]);
    expect(await bounds("question", child)).toEqual([2, 5]);
  });

  it("outline, skeleton, extract and program-aided count what their options allow", async () => {
    expect((await boundsOf("outline", { maxWindows: 4 })).generations).toEqual([0, 4]);
    const skeleton = { maxPoints: 10, router: false };
    expect((await boundsOf("skeleton", skeleton)).generations).toEqual([2, 12]);
    expect((await boundsOf("skeleton", { ...skeleton, router: true })).generations).toEqual([
      2, 13,
    ]);
    expect((await boundsOf("extract", {})).generations).toEqual([0, 1]);
    expect(await boundsOf("program-aided", { maxRepairs: 2 })).toEqual({
      generations: [1, 4],
      toolCalls: [1, 3],
    });
  });

  it("loop may end before its first round", async () => {
    const bounds = await boundsOf("loop", { maxRounds: 4 }, { do: child });
    expect(bounds).toEqual({ generations: [0, 12], toolCalls: [0, 16] });
  });
});

describe("options that contradict each other", () => {
  const facts = { slots: [], noModel: false };

  async function problemsOf(id: string, options: object, about: object = facts) {
    const found = (await load(id)).validate?.(options as never, about as never) ?? [];
    return found.map(({ option }) => option ?? "the stage");
  }

  it("verify needs something to revise with, and something to verify with", async () => {
    expect(await problemsOf("verify", { method, checks: [], maxRounds: 2 })).toEqual(["maxRounds"]);
    const revise = { slots: ["revise"], noModel: false };
    expect(await problemsOf("verify", { method, checks: [], maxRounds: 2 }, revise)).toEqual([]);
    expect(await problemsOf("verify", { method, checks: [] }, revise)).toEqual([]);
    const noModel = { slots: [], noModel: true };
    expect(await problemsOf("verify", { method, checks: [] }, noModel)).toEqual(["the stage"]);
    expect(await problemsOf("verify", { method, checks: [{}] }, noModel)).toEqual([]);
  });

  it("verify asks questions only by the methods that do, and none of those runs yet", async () => {
    const judged = { method, checks: [], maxQuestions: 3 };
    const slots = { slots: ["answer"], noModel: false };
    expect(await problemsOf("verify", judged, slots)).toEqual(["maxQuestions", "answer"]);
    const joint = { method: "cove-joint", checks: [] };
    expect(await problemsOf("verify", joint, slots)).toEqual(["answer", "method"]);
    expect(await problemsOf("verify", { ...joint, method: "cove-factored" }, slots)).toEqual([
      "method",
    ]);
  });

  it("plan-and-solve in one text has nothing to carry out or to make again", async () => {
    const structured = { style: "structured", maxPlanSteps: 3, maxReplans: 0 };
    const work = { slots: ["do"], noModel: false };
    expect(await problemsOf("plan-and-solve", structured, work)).toEqual([]);
    const oneText = { style: "ps-plus", maxPlanSteps: 8, maxReplans: 2 };
    expect(await problemsOf("plan-and-solve", oneText)).toEqual([]);
    expect(await problemsOf("plan-and-solve", { ...oneText, maxPlanSteps: 3 }, work)).toEqual([
      "do",
      "maxPlanSteps",
    ]);
    expect(await problemsOf("plan-and-solve", { ...oneText, maxReplans: 0 })).toEqual([
      "maxReplans",
    ]);
  });

  it("plan waits for a person only where it asks one", async () => {
    expect(await problemsOf("plan", { onConflict: "report", timeout: 1000 })).toEqual(["timeout"]);
    expect(await problemsOf("plan", { onConflict: "ask", timeout: 1000 })).toEqual([]);
  });

  it("ask uses its default only where the run goes on", async () => {
    expect(await problemsOf("ask", { onTimeout: "stop", default: "Monday" })).toEqual(["default"]);
    expect(await problemsOf("ask", { onTimeout: "continue", default: "Monday" })).toEqual([]);
  });
});
