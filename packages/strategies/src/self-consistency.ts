import {
  type Candidate,
  defineStrategy,
  one,
  ProviderError,
  type SlotResult,
  type StrategyDefinition,
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
  pick: oneOf(["majority"], { description: "How the winner is found.", default: "majority" }),
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
 * Deviations: the paper draws 40 samples and fixes no rule for ties; here the answer seen first wins a tie, and
 * `stopEarly` may save samples that cannot change the winner.
 */
export const selfConsistency: StrategyDefinition = defineStrategy({
  id: "self-consistency",
  description: "Draws several independent answers and takes the most frequent one.",
  options,
  slots: { do: one({ description: "Gives one answer; its samples vote.", sampled: true }) },
  flow: { sets: ["answer", "candidates"] },
  bounds: ({ samples, stopEarly }, children) =>
    timesBounds(children.do, stopEarly ? Math.floor(samples / 2) + 1 : samples, samples),
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
