import { describe, expect, it } from "vitest";
import { runScripted, type ScriptedRun } from "../promises/run-scripted.ts";

function ask(expr: string, repair: number, counts: readonly number[]): Promise<ScriptedRun> {
  const rule = `{ rule: { expr: "${expr}", message: too few } }`;
  const output = `output: { fields: { count: integer }, repair: { format: 0, checks: ${repair} }, checks: [${rule}] }`;
  return runScripted(
    `strategy: direct\n${output}\n`,
    counts.map((count) => ({ json: { count } })),
  );
}

describe("a rule of the output that can't be computed", () => {
  it("is told to the model once, and is the fault of the run when that does not help", async () => {
    const run = await ask("1 / (answer.value.count - answer.value.count) > 1", 5, [1, 2, 3]);
    expect(run.requests).toHaveLength(2);
    expect(run.outcome).toMatchObject({ outcome: "failed", fault: { code: "expression-failed" } });
    expect(run.outcome.reason).toMatch(
      /^`1 \/ \(answer\.value\.count - answer\.value\.count\) > 1` \(.+:\d+\) can't be computed: division by zero$/u,
    );
  });

  it("costs no further call where no repair is left", async () => {
    const run = await ask("1 / (answer.value.count - answer.value.count) > 1", 0, [1, 2]);
    expect(run.requests).toHaveLength(1);
    expect(run.outcome).toMatchObject({ fault: { code: "expression-failed" } });
  });

  it("is mended by an answer that holds what it reads", async () => {
    const run = await ask("12 / answer.value.count > 1", 1, [0, 4]);
    expect(run.outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(run.requests[1]?.messages.at(-1)?.text).toContain("division by zero");
  });
});
