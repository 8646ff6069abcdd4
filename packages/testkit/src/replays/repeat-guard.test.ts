import { describe, expect, it } from "vitest";
import { circlingRuns, navigationRuns } from "./navigation-runs.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { toolsIn } from "./recorded-tools.ts";
import { replayAll } from "./replay.ts";

function named(runs: readonly RecordedRun[]): readonly (readonly [string, RecordedRun])[] {
  return runs.map((run) => [run.name, run]);
}

describe("the guard against repeats on hand-made logs", () => {
  const settings = {
    tools: toolsIn([...navigationRuns, ...circlingRuns]),
    react: "{ maxSteps: 40 }",
  };

  it.each(named(navigationRuns))("lets a run that %s", async (_name, run) => {
    const [replay] = await replayAll([run], settings);
    expect(replay?.outcome.reason).toBeUndefined();
    expect(replay?.outcome.outcome).toBe("done");
    expect(replay?.executed).toHaveLength(run.steps.length);
  });

  it.each(named(circlingRuns))("ends a run that %s", async (_name, run) => {
    const [replay] = await replayAll([run], settings);
    expect(replay?.outcome).toMatchObject({ outcome: "limited", fault: { code: "limit-repeat" } });
    expect(replay?.executed.length).toBeLessThan(10);
  });
});
