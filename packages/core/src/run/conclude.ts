import { bareRecord } from "../program/bare-record.ts";
import type { ModelEntry, CompiledStage } from "../program/program.ts";
import type { Message } from "../contracts/message.ts";
import { definePrompt } from "../contracts/prompt.ts";
import type { AnswerDraft, Thread } from "../contracts/state.ts";
import { AbortError, InternalError } from "../errors/loopwright-error.ts";
import type { Template } from "../spec/text/template.ts";
import { brief } from "./brief.ts";
import { generate } from "./generate.ts";
import { languageOf, say } from "./language-of.ts";
import { shownObservations } from "./observation-text.ts";
import { childFrame, type Frame, type StopSignal } from "./run-scope.ts";
import { saveChange } from "./save-change.ts";

/**
 * Makes sure that a run which must stop still answers: where no answer stands, or an acting stage was cut short after
 * it, one held-back call without tools writes down what is known.
 */
export async function conclude(root: Frame, reason: string): Promise<void> {
  if (!lacksAnswer(root)) return;
  const last = concludingStage(root);
  if (last === undefined) return answerWithoutModel(root, reason);
  const stage = {
    ...last,
    id: "conclusion",
    prompts: bareRecord<Template>(),
    models: bareRecord([["default", modelOf(last) as ModelEntry]]),
  };
  const frame = childFrame(root, {
    // No stage's key: those end in a number.
    key: `${root.key}/conclusion`,
    stage,
    purpose: "conclusion",
    signal: root.run.endSignal,
  });
  const answer = await write(frame, talkOf(root), reason);
  if (answer === undefined) answerWithoutModel(root, reason);
  else saveChange(root, { answer });
}

function lacksAnswer(root: Frame): boolean {
  const { answer, thread } = root.state;
  if (answer.revision === 0) return true;
  const last = thread?.messages.at(-1);
  return (
    thread !== undefined &&
    last?.role !== "assistant" &&
    thread.seen.answerRevision === answer.revision
  );
}

/** What the model of a conclusion is shown: a conversation, and what that does not hold. */
interface ConclusionTalk {
  readonly messages: readonly Message[];
  readonly unseen: string;
}

/** The conclusion; undefined where the model gave none. */
async function write(
  frame: Frame,
  { messages, unseen }: ConclusionTalk,
  reason: string,
): Promise<AnswerDraft | undefined> {
  const told = say(frame, CONCLUDE, { reason });
  const tail = unseen === "" ? told : `${unseen}\n\n${told}`;
  try {
    const reply = await generate(
      frame,
      `${frame.key}/generate:0`,
      { messages, tail, answer: true },
      [],
    );
    return reply.answer?.text.trim() === "" ? undefined : reply.answer;
  } catch (thrown) {
    if (thrown instanceof AbortError || thrown instanceof InternalError) throw thrown;
    return undefined;
  }
}

function talkOf(root: Frame): ConclusionTalk {
  const { thread } = root.state;
  if (thread !== undefined)
    return {
      messages: answered(thread.messages, say(root, NOT_EXECUTED)),
      unseen: unseenEvidence(root, thread),
    };
  const known = ["task", "plan", "answer", "evidence"] as const;
  const text = brief(root.state, known, languageOf(root));
  return { messages: [{ role: "user", text }], unseen: "" };
}

/** Observations that the thread does not show, whoever told it the others: a result, or a message of the user. */
function unseenEvidence(root: Frame, { messages }: Thread): string {
  const { state } = root;
  const shown = new Set(
    messages.flatMap(({ role, text }) =>
      role === "tool" || role === "user" ? shownObservations(text) : [],
    ),
  );
  const unseen = state.observations.filter(({ id }) => !shown.has(id));
  if (unseen.length === 0) return "";
  return brief({ ...state, observations: unseen }, ["evidence"], languageOf(root));
}

/** A history in which every tool call has its result, as every provider wants it. */
function answered(messages: readonly Message[], text: string): readonly Message[] {
  return messages.flatMap((message, index): readonly Message[] => {
    if (message.role !== "assistant") return [message];
    // Some endpoints use the same ids in every reply: only the results that follow belong to it.
    const next = messages.findIndex((other, at) => at > index && other.role !== "tool");
    const results = messages.slice(index + 1, next < 0 ? undefined : next);
    const done = new Set(results.map((result) => (result.role === "tool" ? result.callId : "")));
    const open = message.toolCalls.filter((call) => !done.has(call.id));
    return [
      message,
      ...open.map((call) => ({
        role: "tool" as const,
        callId: call.id,
        name: call.name,
        text,
        ok: false,
      })),
    ];
  });
}

/** The stage whose model writes the conclusion: the one whose thread it is, else the first that has a model. */
function concludingStage(root: Frame): CompiledStage | undefined {
  const stages = [...root.run.linked.program.stages.values()];
  const own = stages.find((stage) => stage.id === root.state.thread?.by);
  if (own !== undefined && modelOf(own) !== undefined) return own;
  return stages.find((stage) => modelOf(stage) !== undefined);
}

function modelOf(stage: CompiledStage): ModelEntry | undefined {
  return stage.models["default"] ?? Object.values(stage.models)[0];
}

/** Says that there is no answer, where there is none. */
export function answerWithoutModel(root: Frame, reason: string): void {
  if (root.state.answer.revision > 0) return;
  const answer = {
    text: say(root, NO_ANSWER, { reason }),
    solvable: false,
    unsolvableReason: reason,
  };
  saveChange(root, { answer });
}

/** Where a stop left no answer, its reason says why there is none. */
export function answerStopped(root: Frame, { reason }: StopSignal): void {
  if (root.state.answer.revision > 0) return;
  saveChange(root, { answer: { text: reason, solvable: false, unsolvableReason: reason } });
}

const NOT_EXECUTED = definePrompt({
  en: "not executed: the run is ending",
  zh: "未执行：运行即将结束",
});

const NO_ANSWER = definePrompt({
  en: "No answer was reached: {{reason}}",
  zh: "没有得出答案：{{reason}}",
});

const CONCLUDE = definePrompt({
  en: "Stop here: {{reason}} No further tool call is possible. Give the best answer that what is known allows, and say in it what is missing.",
  zh: "到此为止：{{reason}} 不能再调用工具。请根据已知内容给出尽可能好的答案，并在其中说明还缺少什么。",
});
