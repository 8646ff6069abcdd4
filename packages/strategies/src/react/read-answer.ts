import {
  type AnswerDraft,
  type ErrorCode,
  ProviderError,
  type Reply,
  type Result,
  type RunState,
  type StrategyContext,
} from "@loopwright/core/plugin";
import type { LastWord, Move } from "./mode.ts";

/** True for the code of a reply that core has asked for again in vain; any other failure is none of the model's words. */
export function isUnread(code: ErrorCode | undefined): boolean {
  return code === "output-invalid" || code === "output-empty" || code === "output-truncated";
}

/** A step whose reply never fitted, also after it was asked for again; any other failure ends the stage. */
export function unreadMove({
  code,
  reason,
}: {
  readonly code?: ErrorCode;
  readonly reason: string;
}): Move {
  if (!isUnread(code)) throw new ProviderError(code ?? "strategy-failed", reason);
  return { thought: "", considered: [], calls: [], fault: { reason, isFinal: true }, sent: [] };
}

/** A step whose answer is a part of a text: one that does not fit the declared output is a fault, and is told why. */
export async function fittedMove(
  context: StrategyContext,
  move: Move,
  text: string,
  evidence: readonly string[] = [],
): Promise<Move> {
  const fitted = await context.fitAnswer(text);
  if (!fitted.ok) return { ...move, fault: { reason: fitted.reason } };
  return { ...move, answer: withEvidence(context, fitted.value, evidence) };
}

/** The answer of a reply that was asked for one; `textOf` finds it in what a model wrote in the form of its steps. */
export async function lastWord(
  context: StrategyContext,
  asked: Result<Reply>,
  textOf: (text: string) => string | undefined,
): Promise<Result<LastWord>> {
  if (!asked.ok) return asked;
  const { text, message, sent, answer } = asked.value;
  // Calls in a form that the mode does not take get no result.
  const word = { message, calls: [], sent };
  if (answer === undefined) return { ok: true, value: word };
  if (context.answerForm() !== "" || answer.solvable === false)
    return { ok: true, value: { ...word, answer } };
  const last = textOf(text);
  if (last === undefined) return { ok: true, value: word };
  const fitted = await context.fitAnswer(last);
  return { ok: true, value: fitted.ok ? { ...word, answer: fitted.value } : word };
}

/** An answer with the evidence that a model named beside it, as far as it was observed. */
function withEvidence(
  { state }: StrategyContext,
  answer: AnswerDraft,
  named: readonly string[],
): AnswerDraft {
  const known = evidenceIds(state);
  const evidence = [...(answer.evidence ?? []), ...named.filter((id) => known.includes(id))];
  return { ...answer, evidence: [...new Set(evidence)] };
}

/** The ids that may be named as evidence: a thought is none. */
export function evidenceIds({ observations }: RunState): readonly string[] {
  return observations.flatMap(({ id, isThought }) => (isThought === true ? [] : [id]));
}
