import { parseReact } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { alfworldExemplars } from "./alfworld-exemplars.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { toolsIn } from "./recorded-tools.ts";
import { type Replay, replayAll, type ReplaySettings } from "./replay.ts";
import { answerInLine, asksForStep, saidInBrackets, saidInLines } from "./said-steps.ts";
import { editsOf, nativeRun, patchText, textRun } from "./swe-agent-runs.ts";
import { scoreIn, WEB_SHOP_STEPS, webShopEpisodes } from "./webshop-episodes.ts";

const TEXT: Pick<ReplaySettings, "sayAnswer" | "mayCall" | "say"> = {
  say: saidInLines,
  sayAnswer: answerInLine,
  mayCall: asksForStep,
};

function toldIn({ outcome }: Replay): readonly unknown[] {
  return outcome.state.observations.map(({ tool, input, content }) => [tool, input, content]);
}

function recorded({ steps }: RecordedRun): readonly unknown[] {
  return steps.map(({ tool, input, observation }) => [tool, input, observation || "no result"]);
}

describe("published steps in the text protocol", () => {
  it("reads 3,432 of the 3,437 WebShop actions as they stand, and tells that the other five were cut", () => {
    const episodes = webShopEpisodes();
    const toolNames = toolsIn(episodes).map(({ name }) => name);
    const codes = episodes.flatMap(({ steps, actions }) =>
      steps.map(({ tool, input }, index) => {
        const read = parseReact(`Action: ${actions[index]}`, { toolNames });
        if (!read.ok) return read.code;
        expect([read.action, read.input]).toEqual([tool, input["on"]]);
        return "read";
      }),
    );
    expect(codes.filter((code) => code === "read")).toHaveLength(3432);
    expect(codes.filter((code) => code !== "read")).toEqual(Array(5).fill("truncated"));
  });

  it("runs every tenth WebShop episode through `mode: text` to its recorded score", async () => {
    const episodes = webShopEpisodes().filter(({ index }) => index % 10 === 3);
    const replays = await replayAll(episodes, {
      ...TEXT,
      tools: toolsIn(episodes),
      say: saidInBrackets,
      policy: "repeat: 1000",
      react: `{ mode: text, maxSteps: ${WEB_SHOP_STEPS} }`,
    });
    for (const replay of replays) {
      const { run, outcome, events } = replay;
      expect([run.name, toldIn(replay)]).toEqual([run.name, recorded(run)]);
      expect(scoreIn(outcome.state.observations.at(-1)?.content ?? "") ?? 0).toBeCloseTo(run.score);
      expect(outcome).toMatchObject({ outcome: "done", answer: { text: run.answer } });
      expect(unbalanced(events)).toEqual([]);
    }
  }, 120_000);

  it("runs the marshmallow task in text to the edits and the patch of its native form", async () => {
    const run = textRun("marshmallow-1867-text-react");
    const native = nativeRun();
    const [replay] = await replayAll([run], {
      ...TEXT,
      tools: toolsIn([run]),
      react: "{ mode: text, maxSteps: 20 }",
    });
    expect(replay?.outcome).toMatchObject({ outcome: "done", answer: { text: run.answer } });
    expect(editsOf({ ...run, steps: replay?.executed ?? [] })).toEqual(editsOf(native));
    const patch = replay?.outcome.state.observations.at(-1)?.content ?? "";
    expect(patchText(patch)).toBe(patchText(native.submission));
  });

  it.each(["pydicom-1458-gpt4", "test-repo-i1-gpt4"])("runs %s in text", async (file) => {
    const run = textRun(file);
    const [replay] = await replayAll([run], {
      ...TEXT,
      tools: toolsIn([run]),
      react: "{ mode: text, maxSteps: 20 }",
    });
    expect(replay?.outcome.outcome).toBe("done");
    expect(replay?.executed).toEqual(run.steps);
  });

  it("runs the 36 ALFWorld exemplars in text, thoughts among them", async () => {
    const exemplars = alfworldExemplars();
    const replays = await replayAll(exemplars, {
      ...TEXT,
      tools: toolsIn(exemplars),
      react: "{ mode: text, maxSteps: 40 }",
    });
    for (const replay of replays) {
      expect([replay.run.name, toldIn(replay)]).toEqual([replay.run.name, recorded(replay.run)]);
      expect(replay.outcome).toMatchObject({
        outcome: "done",
        answer: { text: replay.run.answer },
      });
      expect(unbalanced(replay.events)).toEqual([]);
    }
  }, 120_000);
});
