import { definePrompt, type Language, wordsIn } from "@loopwright/core/plugin";

/** A question with its answer. */
export interface Solved {
  readonly question: string;
  readonly answer: string;
}

/**
 * The questions to answer, in their order, without blank ones and repetitions; the last of them is that of the task.
 *
 * The task is the last question where it is, or ends with, the last one of the draft; else it is added. Above the maximum
 * the ones before it are cut from the end, since the first are the ones that the others build on.
 */
export function questionsOf(
  draft: readonly string[],
  task: string,
  max: number,
): { readonly questions: readonly string[]; readonly cut: number } {
  const seen = new Set<string>();
  const questions = draft
    .map((question) => question.trim())
    .filter((question) => {
      const folded = fold(question);
      const isFresh = folded !== "" && !seen.has(folded);
      seen.add(folded);
      return isFresh;
    });
  const last = questions.at(-1);
  const hasTask = last !== undefined && fold(task).endsWith(fold(last));
  const final = hasTask ? last : task;
  const easier = hasTask ? questions.slice(0, -1) : questions;
  const kept = easier.slice(0, max - 1);
  return { questions: [...kept, final], cut: easier.length - kept.length };
}

/** Letters and digits alone, so that marks, spaces and capitals make no other question. */
function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Questions with their answers, for a prompt; empty where there are none. */
export function solvedLines(language: Language, solved: readonly Solved[]): string {
  if (solved.length === 0) return "";
  const lines = solved.map(({ question, answer }, index) =>
    wordsIn(language, PAIR, { number: index + 1, question, answer }),
  );
  return [wordsIn(language, HEADING), ...lines].join("\n");
}

const HEADING = definePrompt({ en: "## Answered so far", zh: "## 已经回答的问题" });

const PAIR = definePrompt({
  en: "{{number}}. Question: {{question}}\n   Answer: {{answer}}",
  zh: "{{number}}. 问题：{{question}}\n   答案：{{answer}}",
});
