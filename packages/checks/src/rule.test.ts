import type { CheckContext, CheckResult, RunState } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { rule } from "./rule.ts";

function check(evaluate: () => unknown): CheckResult {
  const run = rule.run as unknown as (
    state: RunState,
    context: CheckContext,
    options: unknown,
  ) => CheckResult;
  return run({} as RunState, { evaluate } as unknown as CheckContext, {
    expr: "answer.value.n > 1",
    message: "n must be above 1",
  });
}

describe("rule", () => {
  it("passes when its expression is true", () => {
    expect(check(() => true)).toStrictEqual({ issues: [] });
  });

  it("tells its message when the expression is false", () => {
    expect(check(() => false).issues).toStrictEqual([
      {
        kind: "missed-constraint",
        detail: "n must be above 1",
        requiredAction: "Change the answer so that this holds: answer.value.n > 1",
        needs: "rewrite",
      },
    ]);
  });

  it("tells a fault of the expression as an issue", () => {
    const fault = () => {
      throw new Error("No such key: n");
    };
    expect(check(fault).issues).toMatchObject([
      {
        detail:
          "The rule `answer.value.n > 1` (n must be above 1) can't be computed: No such key: n",
        needs: "rewrite",
      },
    ]);
    expect(check(() => "yes").issues).toMatchObject([
      { detail: expect.stringContaining('it gives "yes", not true or false') },
    ]);
  });
});
