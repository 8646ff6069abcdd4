import {
  type BriefField,
  definePrompt,
  type Issue,
  type JsonObject,
  type Language,
  type Message,
  type Prompt,
  type RunState,
  wordsIn,
} from "@loopwright/core/plugin";
import { sayTo } from "./conversation.ts";

/** What goes to the model next: the conversation so far, and the user message that still has to be sent. */
export interface Talk {
  readonly messages: readonly Message[];
  readonly prompt?: string;
  /** Words for one call alone, behind all of it. */
  readonly tail?: string;
  /** What a stage's own `prompt` in its place sees beside the state. */
  readonly bind?: JsonObject;
}

/** Adds words to what goes to the model next. */
export function say(talk: Talk, text: string): Talk {
  if (talk.prompt !== undefined) return { ...talk, prompt: `${talk.prompt}\n\n${text}` };
  return { messages: sayTo(talk.messages, text) };
}

/**
 * Starts the conversation of an acting stage, or goes on with the thread of the run.
 *
 * A new thread is told the task and all that is known. A thread that goes on is told once what is newer than it: a
 * plan, a draft, and the issues that are still open; and again what the work is held to, where the task says it. `brief` is
 * the verb of the context.
 */
export function openTalk(
  state: RunState,
  brief: (fields: readonly BriefField[]) => string,
  language: Language = "en",
): Talk {
  const { thread } = state;
  if (thread === undefined) {
    const known = brief(["task", "plan", "evidence", "answer", "lessons"]);
    const issues = issueLines(openIssues(state, 0), language);
    return { messages: [], prompt: join(known, issues, wordsIn(language, START)) };
  }
  const { seen } = thread;
  const frame = isHeldToMore(state) ? brief(["task"]) : "";
  const plan = state.planRevision > seen.planRevision ? brief(["plan"]) : "";
  const draft = state.answer.revision > seen.answerRevision ? brief(["answer"]) : "";
  const issues = issueLines(openIssues(state, seen.verdictRevision), language);
  return goOn(thread.messages, join(frame, plan, draft, issues, wordsIn(language, GO_ON)));
}

/** True where the task has a mission, a deliverable or hard constraints, which every acting stage is told anew. */
function isHeldToMore({ task: { mission, deliverable, constraints } }: RunState): boolean {
  return mission !== "" || deliverable !== "" || constraints.length > 0;
}

/** A user message that was left without a reply is said again, together with what comes now: roles alternate. */
function goOn(messages: readonly Message[], text: string): Talk {
  const last = messages.at(-1);
  if (last?.role !== "user") return { messages, prompt: text };
  return { messages: messages.slice(0, -1), prompt: join(last.text, text) };
}

/**
 * The issues that an acting stage has to settle, of a verdict newer than the answer revision `seen`.
 *
 * Of a verdict that the answer was already rewritten for, only the issues that need evidence are left.
 */
export function openIssues(state: RunState, seen: number): readonly Issue[] {
  const { issues, answerRevision } = state.verdict;
  if (answerRevision <= seen) return [];
  const isRewritten = answerRevision < state.answer.revision;
  return isRewritten ? issues.filter((issue) => issue.needs === "evidence") : issues;
}

function issueLines(issues: readonly Issue[], language: Language): string {
  if (issues.length === 0) return "";
  const lines = issues.map((issue) => `- ${issue.kind}: ${issue.detail} → ${issue.requiredAction}`);
  return `${wordsIn(language, OPEN_ISSUES)}\n${lines.join("\n")}`;
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

const OPEN_ISSUES: Prompt = definePrompt({
  en: "Open issues of the last draft:",
  zh: "上一稿尚未解决的问题：",
});

const START: Prompt = definePrompt({
  en: "Do the task. Call tools where a fact or an effect is missing; answer when you know enough.",
  zh: "完成任务。缺少事实或需要产生实际效果时就调用工具；掌握的信息足够时给出答案。",
});

const GO_ON: Prompt = definePrompt({
  en: "Go on with the task. Settle the open issues, if there are any; call tools where something is missing. Then give the whole answer.",
  zh: "继续完成任务。如有尚未解决的问题，先把它们解决；缺少什么就调用工具。然后给出完整的答案。",
});
