import {
  definePrompt,
  type Language,
  type Observation,
  type Prompt,
  type StrategyContext,
  wordsIn,
} from "@loopwright/core/plugin";
import { oneLine } from "../shared/one-line.ts";
import { endText } from "../shared/step-evidence.ts";
import { checkLine, type ProposedCheck } from "./checks.ts";
import {
  freshDrafts,
  type Hypothesis,
  type HypothesisDraft,
  leadersOf,
  NONE_ID,
  ranked,
  statusOf,
  withHypotheses,
} from "./hypotheses.ts";
import type { Sayings } from "./hypothesis-ids.ts";

/** A check that was made, and what it brought. */
export interface MadeCheck {
  readonly check: ProposedCheck;
  readonly observation: Observation;
}

/** Where an inquiry stands. */
export interface Inquiry {
  hypotheses: readonly Hypothesis[];
  made: readonly MadeCheck[];
  /** What could be checked next: proposed, and not made. */
  passedOver: readonly ProposedCheck[];
  /** Why it ended before its checks were at an end; empty where it did not. */
  cutShort: string;
}

/** Takes in further hypotheses, as many as are allowed, and tells of those that are too many. */
export function takeIn(
  context: StrategyContext,
  inquiry: Inquiry,
  drafts: readonly HypothesisDraft[],
  max: number,
): void {
  const count = freshDrafts(inquiry.hypotheses, drafts).length - max;
  if (count > 0) context.fact("items.left-out", { count, maxItems: max, option: "maxHypotheses" });
  inquiry.hypotheses = withHypotheses(inquiry.hypotheses, drafts, max);
}

/** Keeps how the inquiry stands, for who has to go on or to end it. */
export function keepReport(context: StrategyContext, { hypotheses }: Inquiry): void {
  const isSupported = leadersOf(ranked(hypotheses)).length > 0;
  const stand = isSupported ? "" : `\n\n${wordsIn(context.language, NOTHING_YET)}`;
  const text = `${context.brief(["task"])}\n\n${hypothesisLines(hypotheses)}${stand}`;
  context.save({ thread: { messages: [{ role: "user", text }] } });
}

/** Tells which sayings of a model counted for no hypothesis. */
export function tellPassedOver(
  context: StrategyContext,
  about: "marks" | "expects",
  { unknown, contradictory }: Omit<Sayings<unknown>, "known">,
): void {
  if (unknown.length === 0 && contradictory.length === 0) return;
  const ids = [...new Set(unknown)].slice(0, maxUnknown).map((id) => oneLine(id, 60));
  context.fact(`${about}.passed-over`, { unknown: ids, contradictory });
}

const maxUnknown = 10;

/** Hypotheses with how they stand, as a model reads them. */
export function hypothesisLines(hypotheses: readonly Hypothesis[]): string {
  const lines = hypotheses.map((one) => {
    const evidence = [...one.supportedBy, ...one.refutedBy].map((id) => `[${id}]`).join(" ");
    const status = [statusOf(one), evidence].filter((part) => part !== "").join(" ");
    const predicts = one.id === NONE_ID || one.predicts === "" ? "" : ` → ${oneLine(one.predicts)}`;
    return `- ${one.id} (${status}): ${oneLine(one.text)}${predicts}`;
  });
  return lines.length === 0 ? "-" : lines.join("\n");
}

/** The checks that were made, each with its result, or that it failed. */
export function madeLines(made: readonly MadeCheck[], language: Language): string {
  const lines = made.map(
    ({ check, observation }) =>
      `- ${checkLine(check)}\n${endText({ kind: "called", observation }, language)}`,
  );
  return lines.length === 0 ? "-" : lines.join("\n");
}

/** What is to be said while nothing is supported. */
export const NOTHING_YET: Prompt = definePrompt({
  en: "No observation supports any of the hypotheses yet.",
  zh: "目前还没有任何观察结果支持其中任何一个假设。",
});
