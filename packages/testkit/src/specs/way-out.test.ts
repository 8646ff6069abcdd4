import { describe, expect, it } from "vitest";
import { runSpec, type SpecRun } from "../run-spec.ts";
import { builtIn, repositoryRoot, specFile } from "./example-specs.ts";

const run = (comment?: string): Promise<SpecRun> =>
  runSpec(
    { file: specFile("way-out.yaml") },
    {
      plugins: builtIn,
      root: repositoryRoot,
      input: comment === undefined ? {} : { inputs: { comment } },
    },
  );

/** The stages that did something, in the order in which they ended. */
const stagesOf = ({ events }: SpecRun): readonly string[] =>
  events.flatMap((event) =>
    event.name === "stage.end" && event.data.outcome !== "skipped" ? [event.stage] : [],
  );

describe("a spec that routes by the way out", () => {
  it("verifies an answer that the quick model has", async () => {
    const ended = await run();
    expect(stagesOf(ended)).toEqual(["direct", "verify", "branch"]);
    expect(ended.outcome).toMatchObject({
      verified: "pass",
      value: { platform: "etsy" },
      spending: { modelCalls: 1 },
    });
  });

  it("asks the careful model where the quick one says that it can't tell", async () => {
    const ended = await run("The seller with the blue bag logo.");
    expect(stagesOf(ended)).toEqual(["direct", "closer-look", "branch"]);
    expect(ended.outcome).toMatchObject({
      value: { platform: "ebay" },
      answer: { solvable: true, by: "closer-look" },
      spending: { modelCalls: 2 },
    });
  });

  it("ends without a value and with the reason where nobody can tell", async () => {
    const ended = await run("Five stars, best shop in the whole town!");
    expect(ended.outcome).toMatchObject({
      outcome: "done",
      value: null,
      answer: { solvable: false, unsolvableReason: "The comment names no platform." },
      reason: expect.stringContaining("a person has to look at it"),
    });
  });
});
