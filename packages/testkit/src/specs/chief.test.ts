import { describe, expect, it } from "vitest";
import { misnested } from "../promises/misnested.ts";
import { runSpec } from "../run-spec.ts";
import { builtIn, repositoryRoot, specFile } from "./example-specs.ts";

describe("a chief with two agents as tools", () => {
  it("calls both at once and rests its answer on what they said", async () => {
    const { outcome, events } = await runSpec(
      { file: specFile("chief.yaml") },
      { plugins: builtIn, root: repositoryRoot },
    );
    expect(outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      answer: {
        text: "The tray was bought on Etsy [observation-2]. The jacket costs 200.28 [observation-1].",
      },
    });
    expect(outcome.state.observations).toMatchObject([
      { tool: "jacket-price", content: '{"total":200.28}', degraded: false },
      { tool: "platform", content: '{"platform":"etsy","named":"Etsy"}', degraded: false },
    ]);
    // Two of the chief, three of the one agent with its revisions, one of the other.
    expect(outcome.spending).toMatchObject({ modelCalls: 6, toolCalls: 2 });
    expect(misnested(events)).toEqual([]);
    const inside = events.flatMap((event) =>
      event.name === "stage.start" && event.key.includes("/call:") ? [event.stage] : [],
    );
    expect(inside.toSorted()).toEqual(
      ["branch", "chain-of-thought", "direct", "refine", "refine", "verify", "verify"].toSorted(),
    );
  });
});
