import { beforeAll, describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { alfworldExemplars, type Exemplar } from "./alfworld-exemplars.ts";
import { toolsIn } from "./recorded-tools.ts";
import { type Replay, replayAll } from "./replay.ts";

describe("36 exemplars that people wrote for ALFWorld (ysymyth/ReAct)", () => {
  const exemplars = alfworldExemplars();
  let replays: readonly Replay<Exemplar>[] = [];

  beforeAll(async () => {
    replays = await replayAll(exemplars, {
      tools: toolsIn(exemplars),
      react: "{ maxSteps: 40 }",
    });
  }, 120_000);

  it("come in 18 pairs, with and without thoughts, that do the same", () => {
    const kinds = exemplars.filter(({ hasThoughts }) => hasThoughts).map(({ kind }) => kind);
    expect(kinds).toHaveLength(18);
    for (const kind of kinds) {
      const [withThoughts, without] = [true, false].map((has) =>
        replays.find(({ run }) => run.kind === kind && run.hasThoughts === has),
      );
      const deeds = withThoughts?.executed.filter(({ tool }) => tool === "act");
      expect(deeds).toEqual(without?.executed);
    }
  });

  it("have every command carried out, and every thought answered by OK.", () => {
    const observations = replays.flatMap(({ outcome }) => outcome.state.observations);
    const thoughts = observations.filter(({ isThought }) => isThought === true);
    expect(new Set(thoughts.map(({ content }) => content))).toEqual(new Set(["OK."]));
    expect(thoughts).toHaveLength(91);
    for (const { run, executed, outcome } of replays) {
      expect(executed).toEqual(run.steps);
      expect(outcome.state.observations.map(({ content }) => content)).toEqual(
        run.steps.map(({ observation }) => observation),
      );
    }
  });

  it("end in one outcome", () => {
    for (const { outcome, events } of replays) {
      expect([outcome.outcome, outcome.reason]).toEqual(["done", undefined]);
      expect(unbalanced(events)).toEqual([]);
    }
  });
});
