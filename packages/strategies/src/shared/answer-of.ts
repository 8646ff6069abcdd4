import type { AnswerDraft, Reply } from "@loopwright/core/plugin";

/** The answer that a reply holds; a reply that core took for no answer counts with its text. */
export function answerOf(reply: Reply): AnswerDraft {
  return reply.answer ?? { text: reply.text };
}

/**
 * The answer of a reply that reasons before it answers.
 *
 * A typed or refused answer stays as it is; in free text the last line that is not empty is the answer, whole, and
 * everything before it the reasoning.
 */
export function reasonedAnswerOf(reply: Reply): AnswerDraft {
  const answer = answerOf(reply);
  const isTyped = answer.value !== undefined && answer.value !== null;
  if (isTyped || answer.solvable === false) return answer;
  const { before, last } = splitLastLine(answer.text);
  return before === "" ? { ...answer, text: last } : { ...answer, text: last, reasoning: before };
}

/** Splits text at its last line that is not empty; both parts are trimmed. */
export function splitLastLine(text: string): { readonly before: string; readonly last: string } {
  const trimmed = text.trim();
  const end = Math.max(trimmed.lastIndexOf("\n"), trimmed.lastIndexOf("\r"));
  return { before: trimmed.slice(0, end + 1).trimEnd(), last: trimmed.slice(end + 1).trim() };
}
