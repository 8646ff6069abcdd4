import {
  type Candidate,
  defineStrategy,
  generations,
  one,
  ProviderError,
  type SlotResult,
  type StrategyDefinition,
  sumBounds,
  timesBounds,
  Type,
} from "@loopwright/core/plugin";
import { oneOf } from "./shared/one-of.ts";
import { choiceOfAnswer, countVotes, isDecided, type Votes } from "./shared/vote.ts";

const options = Type.Object({
  samples: Type.Integer({
    description: "How many answers vote.",
    default: 5,
    minimum: 2,
    maximum: 100,
  }),
  pick: oneOf(["majority", "centroid", "judged"], {
    description:
      "How the winner is found: the most frequent answer, the one nearest to all others, or a judge's pick.",
    default: "majority",
  }),
  maxParallel: Type.Integer({
    description: "The most samples at one time.",
    default: 4,
    minimum: 1,
    maximum: 32,
  }),
  stopEarly: Type.Boolean({
    description: "Draws no further sample once the leader cannot be overtaken.",
    default: false,
  }),
});

/**
 * Draws several independent answers and takes the most frequent one; choose it for tasks with one short right answer,
 * at a temperature above 0 (Wang et al. 2022, arXiv:2203.11171).
 *
 * Deviations: the paper fixes no rule for ties; here the answer seen first wins a tie, and `stopEarly` may save samples
 * that cannot change the winner.
 */
export const selfConsistency: StrategyDefinition = defineStrategy({
  id: "self-consistency",
  description: "Draws several independent answers and takes the most frequent one.",
  options,
  slots: { do: one({ description: "Gives one answer; its samples vote.", sampled: true }) },
  voices: ["judge"],
  voicesUsed: ({ pick }) => (pick === "judged" ? ["judge"] : []),
  flow: { sets: ["answer", "candidates"] },
  bounds: ({ samples, pick, stopEarly }, children) =>
    sumBounds(
      timesBounds(children.do, stopEarly ? Math.floor(samples / 2) + 1 : samples, samples),
      generations(0, pick === "judged" ? 1 : 0),
    ),
  validate: ({ pick }) => (pick === "majority" ? [] : [{ ...NOT_YET, message: notYet(pick) }]),
  async run(state, context, { samples, maxParallel, stopEarly }) {
    const voters = (results: readonly SlotResult[]) =>
      results.filter((result) => hasAnswered(result, state.answer.revision));
    const count = (results: readonly SlotResult[]) => countVotes(voters(results), choiceOf);
    const branches = Array.from({ length: samples }, (_, index) => ({
      key: `sample:${index}`,
      slot: "do" as const,
    }));
    const stopWhen = (finished: readonly SlotResult[]) =>
      isDecided(count(finished), samples - finished.length);
    const results = await context.fanOut(branches, {
      maxParallel,
      ...(stopEarly && { stopWhen }),
    });
    const votes = count(results);
    const winner = winnerOf(votes, results);
    context.fact("vote.counted", tally(votes, results.length));
    context.adopt(results, winner);
    return { candidates: candidatesOf(votes, results, context.state.candidates.length) };
  },
});

const NOT_YET = { option: "pick", severity: "not-yet" } as const;

function notYet(pick: string): string {
  return `\`pick: ${pick}\` can be checked, but not run yet; \`pick: majority\` can`;
}

function hasAnswered(result: SlotResult, before: number): boolean {
  return result.ok && result.state.answer.revision > before;
}

function choiceOf(result: SlotResult): string {
  return choiceOfAnswer(result.state.answer);
}

function winnerOf(votes: readonly Votes<SlotResult>[], results: readonly SlotResult[]): SlotResult {
  const winner = votes[0]?.voters[0];
  if (winner !== undefined) return winner;
  const reasons = new Set(results.map(({ reason }) => reason).filter((reason) => reason !== ""));
  throw new ProviderError(
    "strategy-failed",
    `none of ${results.length} samples gave an answer: ${[...reasons].join("; ") || "`do` left no answer"}`,
  );
}

function tally(votes: readonly Votes<SlotResult>[], samples: number) {
  const counts = votes.map(({ choice, voters }) => ({ answer: choice, count: voters.length }));
  const counted = counts.reduce((sum, { count }) => sum + count, 0);
  return { votes: counts, winner: counts[0]?.answer ?? "", samples, counted };
}

/** One candidate a sample that voted, in the order of the samples; the score is the share of its choice. */
function candidatesOf(
  votes: readonly Votes<SlotResult>[],
  results: readonly SlotResult[],
  before: number,
): readonly Omit<Candidate, "by">[] {
  const shares = new Map(
    votes.flatMap(({ voters }) =>
      voters.map((voter) => [voter, voters.length / results.length] as const),
    ),
  );
  return results
    .filter((result) => shares.has(result))
    .map((result, index) => {
      const { text, value, evidence } = result.state.answer;
      const score = shares.get(result) ?? 0;
      return { id: `candidate-${before + index + 1}`, text, value, evidence, score };
    });
}
