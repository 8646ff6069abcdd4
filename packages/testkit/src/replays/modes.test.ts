import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { toolsIn } from "./recorded-tools.ts";
import { type Replay, replayAll, type ReplaySettings } from "./replay.ts";
import {
  answerAsObject,
  answerInLine,
  asksForStep,
  saidAsObject,
  saidInLines,
} from "./said-steps.ts";
import { WEB_SHOP_STEPS, webShopEpisodes } from "./webshop-episodes.ts";

/** How a model says the same in each mode. */
const MODES: Readonly<Record<string, Pick<ReplaySettings, "say" | "sayAnswer" | "mayCall">>> = {
  native: {},
  structured: { say: saidAsObject, sayAnswer: answerAsObject, mayCall: asksForStep },
  text: { say: saidInLines, sayAnswer: answerInLine, mayCall: asksForStep },
};

/** What happened, without the pieces in which the model said it. */
function happenings({ events }: Replay): readonly string[] {
  return eventNames(events, { without: ["model-call.delta"] });
}

describe("the same published WebShop episodes in the three modes of react", () => {
  it("make the same calls and end the same way, with equal events", async () => {
    const episodes = webShopEpisodes().filter(({ index }) => index % 25 === 7);
    const byMode = new Map<string, readonly Replay[]>();
    for (const [mode, how] of Object.entries(MODES)) {
      const replays = await replayAll(episodes, {
        ...how,
        tools: toolsIn(episodes),
        react: `{ mode: ${mode}, maxSteps: ${WEB_SHOP_STEPS} }`,
      });
      byMode.set(mode, replays);
    }
    const native = byMode.get("native") ?? [];
    expect(native).toHaveLength(20);
    for (const mode of ["structured", "text"]) {
      for (const [index, replay] of (byMode.get(mode) ?? []).entries()) {
        expect([mode, replay.run.name, replay.executed]).toEqual([
          mode,
          replay.run.name,
          native[index]?.executed,
        ]);
        expect(replay.outcome.outcome).toBe(native[index]?.outcome.outcome);
        expect(replay.outcome.answer.text).toBe(replay.run.answer);
        expect([mode, happenings(replay)]).toEqual([mode, happenings(native[index] as Replay)]);
        expect(unbalanced(replay.events)).toEqual([]);
      }
    }
  }, 120_000);
});
