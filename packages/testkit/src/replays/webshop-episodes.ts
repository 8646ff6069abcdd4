import { fixtureLines } from "./read-fixture.ts";
import type { RecordedRun, RecordedStep } from "./recorded-run.ts";

interface LoggedEpisode {
  readonly idx: number;
  readonly score: number;
  readonly steps: readonly { readonly action: string; readonly observation: string }[];
}

/** One of the 500 published WebShop episodes. */
export interface WebShopEpisode extends RecordedRun {
  readonly index: number;
  /** The score that the log says. */
  readonly score: number;
  /** The steps as the log writes them, such as `click[Buy Now]`; five thoughts are cut. */
  readonly actions: readonly string[];
}

/** The most steps of a published episode, the `reset` that shows the task among them. */
export const WEB_SHOP_STEPS = 15;

/** The 500 episodes; the observation of their first action, `reset`, is the task. */
export function webShopEpisodes(): readonly WebShopEpisode[] {
  const episodes = fixtureLines(
    "react-webshop/episodes-text-davinci-002.jsonl.gz",
  ) as readonly LoggedEpisode[];
  return episodes.map(({ idx, score, steps }) => ({
    name: `webshop-${idx}`,
    index: idx,
    score,
    actions: steps.slice(1).map(({ action }) => action),
    task: steps[0]?.observation.trim() ?? "",
    steps: steps.slice(1).map(toStep),
    answer: "The episode is over.",
  }));
}

function toStep(logged: LoggedEpisode["steps"][number]): RecordedStep {
  const { action, observation } = logged;
  const open = action.indexOf("[");
  const on = action.slice(open + 1, action.endsWith("]") ? -1 : undefined);
  return { tool: action.slice(0, open), input: { on }, observation };
}

/** The score that an observation tells, where it tells one. */
export function scoreIn(observation: string): number | undefined {
  const found = /^Your score \(min 0\.0, max 1\.0\): (?<score>[\d.]+)$/mu.exec(observation.trim());
  return found?.groups?.["score"] === undefined ? undefined : Number(found.groups["score"]);
}

/** True for a step that thinks and touches no page. */
export function isThinking({ tool }: RecordedStep): boolean {
  return tool === "think";
}

/** True for the step that ends an episode. */
export function isBuying({ tool, input }: RecordedStep): boolean {
  return tool === "click" && input["on"] === "Buy Now";
}
