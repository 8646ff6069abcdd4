import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { runSpec, type SpecRun } from "../run-spec.ts";
import { builtIn, repositoryRoot, specFile } from "./example-specs.ts";

const run = (price?: number): Promise<SpecRun> =>
  runSpec(
    { file: specFile("discount.yaml") },
    {
      plugins: builtIn,
      root: repositoryRoot,
      input: price === undefined ? {} : { inputs: { price } },
    },
  );

const right = (249 - 40) * 0.92 + 8;

describe("the price after two discounts", () => {
  it("is right after two revisions, which checks alone asked for", async () => {
    const { outcome, events } = await run();
    const call = ["model-call.start", "model-call.end"];
    expect(eventNames(events, { without: ["model-call.delta"] })).toEqual(
      [
        "run.start",
        ["stage.start chain-of-thought", ...call, "answer.given", "stage.end chain-of-thought"],
        ["stage.start verify", "verdict.given"],
        ["stage.start refine", ...call, "answer.revised", "stage.end refine", "verdict.given"],
        ["stage.start refine", ...call, "answer.revised", "stage.end refine", "verdict.given"],
        ["stage.end verify", "run.end"],
      ].flat(),
    );
    expect(unbalanced(events)).toEqual([]);
    expect(outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      value: { total: 200.28 },
      answer: { revision: 3, by: "refine" },
      spending: { modelCalls: 3, usd: 0 },
    });
    expect(right).toBeCloseTo(200.28, 9);
  });

  it("is caught by the rule where every line is true but the order is wrong", async () => {
    const [first] = verdicts(await run());
    expect(first).toMatchObject({
      outcome: "revise",
      answerRevision: 1,
      issues: [{ detail: expect.stringContaining("take the 40 off first") }],
    });
    expect(first?.issues).toHaveLength(1);
  });

  it("is caught by arithmetic where a line is false", async () => {
    const [, second] = verdicts(await run());
    expect(second).toMatchObject({ outcome: "revise", answerRevision: 2 });
    expect(second?.issues.map(({ kind }) => kind)).toContain("contradiction");
    expect(second?.issues.find(({ kind }) => kind === "contradiction")).toMatchObject({
      detail: expect.stringContaining("192.28"),
    });
  });

  it("passes in the end, about the last answer", async () => {
    const { outcome, events } = await run();
    expect(verdicts({ outcome, events })).toHaveLength(3);
    expect(verdicts({ outcome, events }).at(-1)).toMatchObject({
      outcome: "pass",
      issues: [],
      answerRevision: outcome.answer.revision,
    });
    expect(outcome.state.verdict.revised).toBe(true);
  });

  it("gives the three totals in their order", async () => {
    const { events } = await run(249);
    const totals = events.flatMap((event) =>
      event.name === "answer.given" || event.name === "answer.revised" ? [event.data.value] : [],
    );
    expect(totals).toEqual([{ total: 197.08 }, { total: 200.38 }, { total: 200.28 }]);
  });
});

function verdicts({ events }: SpecRun) {
  return events.flatMap((event) => (event.name === "verdict.given" ? [event.data] : []));
}
