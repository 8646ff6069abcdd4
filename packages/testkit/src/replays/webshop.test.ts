import { beforeAll, describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { percent, printFigures } from "./figures.ts";
import { repeatsIn } from "./recorded-run.ts";
import { toolsIn } from "./recorded-tools.ts";
import { type Replay, replayAll, type ReplaySettings } from "./replay.ts";
import {
  isBuying,
  isThinking,
  scoreIn,
  WEB_SHOP_STEPS,
  type WebShopEpisode,
  webShopEpisodes,
} from "./webshop-episodes.ts";

const episodes = webShopEpisodes();
const repeating = episodes.filter((episode) => repeatsIn(episode, isThinking).length > 0);
const settings: ReplaySettings = {
  tools: toolsIn(episodes),
  react: `{ maxSteps: ${WEB_SHOP_STEPS} }`,
};
/** All episodes, with the guard against repeats as it is. */
let guarded: readonly Replay<WebShopEpisode>[] = [];
/** All episodes to their recorded ends: those that repeat something without the guard. */
let replays: readonly Replay<WebShopEpisode>[] = [];

beforeAll(async () => {
  guarded = await replayAll(episodes, settings);
  const free = await replayAll(repeating, { ...settings, policy: "repeat: 1000" });
  replays = guarded.map((replay) => free.find(({ run }) => run === replay.run) ?? replay);
}, 120_000);

describe("500 published ReAct episodes in WebShop (text-davinci-002, ysymyth/ReAct)", () => {
  /** The score that the tools told last, as the published code counts it: 0 where none is told. */
  const scoreOf = ({ outcome }: Replay): number =>
    scoreIn(outcome.state.observations.at(-1)?.content ?? "") ?? 0;

  // The model's replies and the tools' results are the recorded ones, so this proves that the loop carries 500 recorded
  // episodes from end to end: no call is lost, changed or added, and the score is read from what the tools returned. It
  // proves nothing of how well a model does with these prompts: its calls do not depend on them here.
  it("come to the published mean score of 0.638 and success rate of 35.8 %", () => {
    const scores = replays.map(scoreOf);
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const solved = scores.filter((score) => score === 1).length / scores.length;
    printFigures("WebShop, 500 episodes replayed", [
      `mean score ${mean.toFixed(3)}, success ${(100 * solved).toFixed(1)} %`,
    ]);
    expect(scores).toHaveLength(500);
    expect(mean.toFixed(3)).toBe("0.638");
    expect(solved).toBe(0.358);
    for (const [index, { run }] of replays.entries()) expect(scores[index]).toBeCloseTo(run.score);
  });

  it("make the recorded calls in the recorded order, and are told what was recorded", () => {
    expect(replays.flatMap(({ executed }) => executed)).toHaveLength(3437);
    for (const { run, outcome } of replays) {
      const made = outcome.state.observations.map(({ tool, input, content }) => ({
        tool,
        input,
        observation: content,
      }));
      expect(made).toEqual(run.steps.map((step) => ({ ...step, observation: told(step) })));
    }
  });

  it("think 1,089 times, answered by OK. without a call to the shop", () => {
    const thoughts = replays.flatMap(({ outcome }) =>
      outcome.state.observations.filter(({ isThought }) => isThought === true),
    );
    expect(thoughts).toHaveLength(1089);
    expect(new Set(thoughts.map(({ tool, content }) => `${tool}: ${content}`))).toEqual(
      new Set(["think: OK."]),
    );
    const calls = replays.flatMap(({ executed }) => executed.filter((step) => !isThinking(step)));
    expect(calls).toHaveLength(3437 - 1089);
  });

  it("go on after an invalid action, 310 times", () => {
    const invalid = replays.flatMap(({ outcome, requests }) =>
      outcome.state.observations.flatMap(({ content }, index) =>
        content === "Invalid action!" ? [requests[index + 1]] : [],
      ),
    );
    expect(invalid).toHaveLength(310);
    for (const next of invalid) expect(next?.messages.at(-1)?.text).toBeDefined();
  });

  it("end in exactly one outcome after at most 15 steps, 35 of them at the cap", () => {
    const capped = replays.filter(({ run }) => run.steps.length === WEB_SHOP_STEPS - 1);
    expect(capped).toHaveLength(35);
    for (const { run, outcome, events, requests } of replays) {
      expect(unbalanced(events)).toEqual([]);
      expect(events.filter(({ name }) => name === "run.end")).toHaveLength(1);
      expect(outcome.outcome).toBe("done");
      expect(outcome.answer.text).toBe(run.answer);
      expect(requests.length).toBeLessThanOrEqual(WEB_SHOP_STEPS);
      const isCapped = run.steps.length === WEB_SHOP_STEPS - 1;
      expect(outcome.reason?.includes("15 steps are used up") ?? false).toBe(isCapped);
    }
  });
});

describe("the guard against repeats on 500 published WebShop episodes (ysymyth/ReAct)", () => {
  it("has 160 of 3,437 steps in 38 episodes that repeat an action with the same observation", () => {
    const steps = episodes.reduce((sum, episode) => sum + episode.steps.length, 0);
    const repeats = repeating.map((episode) => repeatsIn(episode, isThinking).length);
    expect(steps).toBe(3437);
    expect(repeating).toHaveLength(38);
    expect(repeats.reduce((sum, count) => sum + count, 0)).toBe(160);
  });

  it("avoids at least a quarter of the wasted calls, and no other call", () => {
    const kept = guarded.map(keptFrom);
    const avoided = kept.reduce((sum, { repeats }) => sum + repeats, 0);
    const hinted = guarded.map(repeatsAfterHint).reduce((sum, count) => sum + count, 0);
    const ended = guarded.filter(({ outcome }) => outcome.fault?.code === "limit-repeat");
    printFigures("The guard against repeats, 500 WebShop episodes", [
      `${ended.length} runs ended limited`,
      `${avoided} of 160 wasted calls not made (${percent(avoided, 160)})`,
      `${hinted} of 160 come after a hint that the recorded model could not read (${percent(hinted, 160)})`,
    ]);
    expect(kept.reduce((sum, { others }) => sum + others, 0)).toBe(0);
    expect(avoided / 160).toBeGreaterThanOrEqual(0.25);
    expect(avoided / 160).toBeLessThan(0.7);
    expect(hinted).toBeGreaterThanOrEqual(avoided);
    expect(ended.length).toBeGreaterThanOrEqual(20);
  });

  it("touches no episode that repeats nothing", () => {
    const names = new Set(repeating.map(({ name }) => name));
    const touched = guarded.filter(
      ({ run, outcome }) => !names.has(run.name) && outcome.outcome !== "done",
    );
    expect(touched.map(({ run }) => run.name)).toEqual([]);
  });

  it("stops no episode before it buys, the two of the 38 with a score of 1 among them", () => {
    const solved = repeating.filter(({ score }) => score === 1).map(({ index }) => index);
    expect(solved).toEqual([115, 316]);
    const buying = guarded.filter(({ run }) => run.steps.some(isBuying));
    expect(buying).toHaveLength(465);
    for (const { run, executed, outcome } of buying) {
      expect(executed).toHaveLength(run.steps.length);
      expect(outcome.outcome).toBe("done");
    }
  });

  it("leaves every run that it ends with an answer", () => {
    const limited = guarded.filter(({ outcome }) => outcome.outcome === "limited");
    expect(limited.length).toBeGreaterThan(0);
    for (const { run, outcome } of limited) {
      expect(outcome.answer.text).toBe(run.answer);
      expect(outcome.fault?.code).toBe("limit-repeat");
    }
  });
});

/** What a call was worth that the guard kept from being made. */
interface Kept {
  readonly repeats: number;
  /** Calls that had not been made before with that result: a guard that keeps one is wrong. */
  readonly others: number;
}

function keptFrom({ run, executed }: Replay): Kept {
  const repeats = new Set(repeatsIn(run, isThinking));
  const kept = run.steps
    .map((step, index) => ({ step, index }))
    .slice(executed.length)
    .filter(({ step }) => !isThinking(step));
  const repeated = kept.filter(({ index }) => repeats.has(index)).length;
  return { repeats: repeated, others: kept.length - repeated };
}

/** The repeats that a model makes after it has read a first hint: one that listens makes none of them. */
function repeatsAfterHint({ run, outcome }: Replay): number {
  const hinted = outcome.state.observations.findIndex(({ notes = [] }) => notes.length > 0);
  return hinted < 0 ? 0 : repeatsIn(run, isThinking).filter((index) => index > hinted).length;
}

/** What core tells the model of a result that holds nothing. */
function told({ observation }: { readonly observation: string }): string {
  return observation.trim() === "" ? "no result" : observation;
}
