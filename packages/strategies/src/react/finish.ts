import {
  type AnswerDraft,
  definePrompt,
  type ErrorCode,
  LimitError,
  type Prompt,
  ProviderError,
  type StateChange,
} from "@loopwright/core/plugin";
import type { Course } from "./course.ts";
import type { Mode } from "./mode.ts";
import { shorten } from "./observation-size.ts";
import { isUnread } from "./read-answer.ts";

/** So many of the last results, and so much of each, stand in for an answer. */
const maxFound = 8;
const maxFoundChars = 500;

/** Keeps an answer that the model gave by itself; the conversation ends with it, whatever came of words about the plan beside it. */
export function finish({ messages }: Course, answer: AnswerDraft): StateChange {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return { thread: { messages: last === -1 ? messages : messages.slice(0, last + 1) }, answer };
}

/** The last step; a stage that went in circles keeps its answer, and ends limited. */
export async function conclude(course: Course, step: number): Promise<StateChange> {
  const change = await lastWord(course, step);
  if (!course.guide.isCircling) return change;
  const { result: _why, ...kept } = change;
  course.context.save(kept);
  throw circled(course);
}

function circled({ ending }: Course): LimitError {
  return new LimitError("limit-repeat", ending ?? "the model went in circles");
}

/** The answer without calls, or, from a model that gives none, what was found. */
async function lastWord(course: Course, step: number): Promise<StateChange> {
  const { context, mode, options } = course;
  const asked = course.lastTalk(step, context.words(concludePrompt(course)));
  const result = await mode.conclude(asked);
  const isUsedUp = step === options.maxSteps && step > 1;
  const why = course.ending ?? (isUsedUp ? `all ${step} steps are used up` : undefined);
  if (!result.ok) return settle(course, result, why);
  const { answer, calls } = result.value;
  course.keep(asked, result.value);
  const refusals = calls.map((call) => ({ call, text: context.words(NOT_EXECUTED), ok: false }));
  if (refusals.length > 0) course.tell(mode.resultsOf(refusals));
  const thread = { messages: course.messages };
  if (answer === undefined || answer.text.trim() === "")
    return settle(course, { code: "output-empty", reason: NO_ANSWER }, why);
  return why === undefined ? { thread, answer } : { thread, answer, result: { cutShort: why } };
}

/**
 * What stands where the model gave no answer: the one that waited for a reflection, the draft that was there, or what the
 * tools brought. Without any of that, an answer that says so, and the fault.
 */
export function settle(
  course: Course,
  { code, reason }: { readonly code?: ErrorCode; readonly reason: string },
  why: string = NO_LAST_WORD,
): StateChange {
  const { context, draft } = course;
  if (!isUnread(code)) throw new ProviderError(code ?? "strategy-failed", reason);
  const thread = { messages: course.messages };
  if (draft !== undefined) return { thread, answer: draft, result: { cutShort: why } };
  context.save({ thread });
  // Of a limit that holds no further call, the run has to say so, whatever the model said instead of an answer.
  if (!course.guide.isCircling) context.refuseCalls();
  if (context.state.answer.revision > 0)
    return { thread, result: { cutShort: earlier(course, why) } };
  const found = foundAnswer(course);
  if (found !== undefined) return { thread, answer: found, result: { cutShort: why } };
  context.save({ answer: noAnswer(course, reason) });
  throw course.guide.isCircling
    ? circled(course)
    : new ProviderError(code ?? "output-empty", reason);
}

/** Why an earlier answer stands, and that it knows nothing of what was found after it. */
function earlier({ guide }: Course, why: string): string {
  const count = guide.observations.filter(({ isThought }) => isThought !== true).length;
  if (count === 0) return `${why}; the answer is an earlier one`;
  return `${why}; the answer is an earlier one, without the ${count} ${count === 1 ? "result" : "results"} of this stage`;
}

/** What the tools brought, as the answer; of no use where a typed value is wanted, and it says so. */
function foundAnswer({ context, guide }: Course): AnswerDraft | undefined {
  const useful = guide.observations.filter(
    ({ ok, isThought, content }) => ok && isThought !== true && content.trim() !== "",
  );
  const last = useful.slice(-maxFound);
  if (last.length === 0) return undefined;
  const lines = last.map(
    ({ id, tool, content }) =>
      `- ${tool} [${id}]: ${shorten(content, maxFoundChars).replaceAll(/\s+/gu, " ")}`,
  );
  const text = context.words(FOUND, { lines: lines.join("\n") });
  const evidence = last.map(({ id }) => id);
  if (context.answerForm() === "") return { text, evidence };
  return { text, evidence, solvable: false, unsolvableReason: NO_ANSWER };
}

function noAnswer({ context }: Course, reason: string): AnswerDraft {
  return { text: context.words(NOTHING), solvable: false, unsolvableReason: reason };
}

/** The reason of a second silent reply. */
export const SILENT =
  "the model gave no answer: it was asked twice, and neither reply held a text or a call of a tool";

const NO_ANSWER = "the model gave no answer, and only asked for tools";

const NO_LAST_WORD = "the model gave no answer of its own";

const NOT_EXECUTED: Prompt = definePrompt({
  en: "not executed: the steps are used up",
  zh: "未执行：步数已用完",
});

/** What asks for the answer; a typed one in text has no label. */
function concludePrompt({ context, mode: { id } }: Course): Prompt {
  return CONCLUDE[id === "text" && context.answerForm() !== "" ? "native" : id];
}

const CONCLUDE: Readonly<Record<Mode["id"], Prompt>> = {
  native: definePrompt({
    en: "Tools are off now. Give the whole answer with what you have found, and say what stays open.",
    zh: "现在不能再调用工具。请根据已经查明的内容给出完整的答案，并说明还有什么没有弄清。",
  }),
  structured: definePrompt({
    en: "Tools are off now. Give the whole answer with what you have found, and say what stays open. Write the answer itself, not a step.",
    zh: "现在不能再调用工具。请根据已经查明的内容给出完整的答案，并说明还有什么没有弄清。直接写答案本身，不要再写步骤。",
  }),
  text: definePrompt({
    en: "Tools are off now. Give the whole answer with what you have found, and say what stays open. Write it behind Final Answer.",
    zh: "现在不能再调用工具。请根据已经查明的内容给出完整的答案，并说明还有什么没有弄清。写在“最终答案”后面。",
  }),
};

const FOUND: Prompt<"lines"> = definePrompt({
  en: "The work ended before an answer was written. This was found:\n{{lines}}",
  zh: "工作在写出答案之前就结束了。已查到以下内容：\n{{lines}}",
});

const NOTHING: Prompt = definePrompt({
  en: "No answer was reached, and nothing was found.",
  zh: "没有得出答案，也没有查到任何内容。",
});
