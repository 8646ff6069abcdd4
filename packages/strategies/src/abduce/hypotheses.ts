import { type Candidate, definePrompt, type Language, wordsIn } from "@loopwright/core/plugin";

/** What may be the case, and how it stands after the checks so far; `supportedBy` and `refutedBy` hold observation ids. */
export interface Hypothesis {
  readonly id: string;
  readonly text: string;
  /** What can be seen if it is so. */
  readonly predicts: string;
  readonly supportedBy: readonly string[];
  readonly refutedBy: readonly string[];
}

/** A hypothesis as a model proposes it. */
export type HypothesisDraft = Pick<Hypothesis, "text" | "predicts">;

/** How a hypothesis stands. */
type Status = "supported" | "refuted" | "open";

/** The id of "none of these", which no check can refute. */
export const NONE_ID = "H0";

/** The hypothesis that all others are wrong. */
export function noneOfThese(language: Language): Hypothesis {
  return untested(NONE_ID, wordsIn(language, NONE), "");
}

/** Adds hypotheses that are not there yet, with the ids that follow, up to `max` of them. */
export function withHypotheses(
  known: readonly Hypothesis[],
  drafts: readonly HypothesisDraft[],
  max: number,
): readonly Hypothesis[] {
  const next = 1 + known.filter(({ id }) => id !== NONE_ID).length;
  const added = freshDrafts(known, drafts)
    .slice(0, max)
    .map(({ text, predicts }, index) => untested(`H${next + index}`, text.trim(), predicts.trim()));
  return [...known, ...added];
}

/** The hypotheses that are there neither before nor twice. */
export function freshDrafts(
  known: readonly Hypothesis[],
  drafts: readonly HypothesisDraft[],
): readonly HypothesisDraft[] {
  const seen = new Set(known.map(({ text }) => plainText(text)));
  return drafts.filter(({ text }) => {
    const key = plainText(text);
    if (key === "" || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function untested(id: string, text: string, predicts: string): Hypothesis {
  return { id, text, predicts, supportedBy: [], refutedBy: [] };
}

/** A text as it counts when two are compared. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, " ")
    .trim();
}

/** How a hypothesis stands: refuted as soon as one observation speaks against it. */
export function statusOf({ supportedBy, refutedBy }: Hypothesis): Status {
  if (refutedBy.length > 0) return "refuted";
  return supportedBy.length > 0 ? "supported" : "open";
}

/** True for a hypothesis of its own that nothing has refuted. */
export function isLive(hypothesis: Hypothesis): boolean {
  return hypothesis.id !== NONE_ID && statusOf(hypothesis) !== "refuted";
}

/** What a check says of a hypothesis. */
export interface Mark {
  readonly hypothesis: string;
  readonly mark: "supported" | "refuted" | "untouched";
}

/** The hypotheses after a check: only those that are live are marked, none where its marks differ, and only with the observation that says so. */
export function marked(
  hypotheses: readonly Hypothesis[],
  marks: readonly Mark[],
  observationId: string,
): readonly Hypothesis[] {
  return hypotheses.map((one) => {
    const own = marks.filter(({ hypothesis }) => hypothesis === one.id);
    const mark = own[0]?.mark ?? "untouched";
    const isClear = own.every((other) => other.mark === mark);
    if (!isLive(one) || mark === "untouched" || !isClear) return one;
    const list = mark === "supported" ? "supportedBy" : "refutedBy";
    return { ...one, [list]: [...one[list], observationId] };
  });
}

/** A hypothesis with its share of the support, between 0 and 1. */
export interface Ranked {
  readonly hypothesis: Hypothesis;
  readonly score: number;
}

/**
 * The hypotheses, the best first; a score is the share of one and the observations for a hypothesis among those of all
 * that are not refuted. It is no probability.
 */
export function ranked(hypotheses: readonly Hypothesis[]): readonly Ranked[] {
  const weightOf = (one: Hypothesis): number =>
    statusOf(one) === "refuted" ? 0 : 1 + one.supportedBy.length;
  const total = hypotheses.reduce((sum, one) => sum + weightOf(one), 0);
  return hypotheses
    .map((hypothesis) => ({ hypothesis, score: total === 0 ? 0 : weightOf(hypothesis) / total }))
    .toSorted((one, other) => other.score - one.score);
}

/** Those that share the first place; only one where there is a leader, none where nothing is supported. */
export function leadersOf(ranking: readonly Ranked[]): readonly Hypothesis[] {
  const best = ranking[0]?.score ?? 0;
  const first = ranking.filter(({ score }) => score === best).map(({ hypothesis }) => hypothesis);
  return first.filter((hypothesis) => statusOf(hypothesis) === "supported");
}

/** True when one supported hypothesis is ahead of all others by the margin. */
export function isSettled(ranking: readonly Ranked[], margin: number): boolean {
  const [first, second] = ranking;
  if (first === undefined || statusOf(first.hypothesis) !== "supported") return false;
  return first.score - (second?.score ?? 0) >= margin;
}

/** The hypotheses as candidates, the best first. */
export function candidatesOf(
  ranking: readonly Ranked[],
  before: number,
): readonly Omit<Candidate, "by">[] {
  return ranking.map(({ hypothesis, score }, index) => ({
    id: `candidate-${before + index + 1}`,
    text: hypothesis.text,
    value: {
      hypothesis: hypothesis.id,
      status: statusOf(hypothesis),
      predicts: hypothesis.predicts,
    },
    score,
    evidence: [...hypothesis.supportedBy, ...hypothesis.refutedBy],
  }));
}

const NONE = definePrompt({ en: "none of these", zh: "以上都不是" });
