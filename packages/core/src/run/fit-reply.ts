import type { Json, JsonObject } from "../contracts/json.ts";
import type { FinishReason, Message } from "../contracts/message.ts";
import { definePrompt, type Prompt } from "../contracts/prompt.ts";
import type { AnswerDraft } from "../contracts/state.ts";
import type { GenerateRequest, Reply } from "../contracts/strategy-context.ts";
import type { SpecError } from "../errors/loopwright-error.ts";
import { openEnvelope } from "../output/answer-envelope.ts";
import { readTypedReply, type TypedReply } from "../output/read-typed-reply.ts";
import { splitAnswer } from "../output/split-answer.ts";
import { splitThinking } from "../output/split-thinking.ts";
import type { AnswerTarget } from "./answer-target.ts";
import { checkDraft } from "./check-draft.ts";
import { citedEvidence, knownEvidence } from "./evidence-citations.ts";
import { say } from "./language-of.ts";
import type { ModelReply } from "./model-request.ts";
import { childScope, type Frame } from "./run-scope.ts";

/** A reply with the value that was asked for. */
export type FittingReply = Reply & { value?: Json };

/** A reply that fits, or why it does not; `code` is what `output.rejected` tells. */
export type Fit =
  | { readonly ok: true; readonly reply: FittingReply }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      /** A rule of the output that can't be computed over this answer. */
      readonly broken?: SpecError;
    };

/** A reply, what was asked for, and the key of the call. */
export interface Received {
  readonly reply: ModelReply;
  readonly sent: readonly Message[];
  readonly request: GenerateRequest;
  readonly target: AnswerTarget | undefined;
  readonly key: string;
}

/** The code of an answer of the right form in which a check of the output found something. */
export const CHECK_FAILED = "check-failed";

/** The code of a reply that ended at its token limit. */
export const TRUNCATED = "output-truncated";

/** The code of a reply that is thinking and nothing else. */
export const THINKING_ONLY = "thinking-only";

/** The code of a reply of which a content filter took a part. */
const FILTERED = "content-filter";

/** Looks whether a reply is what was asked for, and lets the checks of the output judge an answer. */
export async function fitReply(frame: Frame, received: Received): Promise<Fit> {
  const fit = fitForm(frame, received);
  if (!isToBeJudged(fit)) return fit;
  const { told, ...broken } = await checkDraft(frame, fit.reply.answer);
  return told === "" ? fit : { ok: false, code: CHECK_FAILED, message: told, ...broken };
}

type Answering = FittingReply & { readonly answer: AnswerDraft };

/** True for an answer that the output's checks have to judge; one that says why the task can't be done is let pass. */
function isToBeJudged(fit: Fit): fit is { readonly ok: true; readonly reply: Answering } {
  return fit.ok && fit.reply.answer !== undefined && fit.reply.answer.solvable !== false;
}

function fitForm(frame: Frame, received: Received): Fit {
  const { reply, sent, request, target, key } = received;
  const { message, finishReason } = reply;
  const { text, reasoning } = wordsOf(received);
  const base = { text, reasoning, toolCalls: message.toolCalls, message, finishReason, sent };
  const unfit = fitPartial(frame, base, received);
  if (unfit !== undefined) return unfit;
  if (isActing(received)) {
    const besides = misfitBesideTools(text, target);
    if (besides !== undefined)
      tellRepairs(frame, key, [`left out the object beside the tool calls: ${besides}`]);
    return { ok: true, reply: base };
  }
  if (target === undefined && request.answer !== true) return { ok: true, reply: base };
  const isThought = target?.form === "separate";
  if (text.trim() === "" && (isThought || !offersCalls(request))) return emptiness(frame, base);
  if (isThought) return { ok: true, reply: base };
  if (target === undefined) {
    const answer = { text: text.trim(), reasoning, evidence: citedEvidence(text) };
    return { ok: true, reply: { ...base, answer: withKnownEvidence(frame, answer, key) } };
  }
  const { read, thought } = readForm(reply, target);
  if (!read.ok) return { ok: false, code: read.code, message: read.message };
  tellRepairs(frame, key, read.repairs);
  const { value } = read;
  const { output } = target;
  if (output === undefined) return { ok: true, reply: { ...base, value } };
  const opened = read.unsolvable ?? openEnvelope(value as JsonObject, output);
  const drafted = thought === "" ? opened : { ...opened, reasoning: thought };
  return { ok: true, reply: { ...base, value, answer: withKnownEvidence(frame, drafted, key) } };
}

/** What a reply says and what was thought before it; only a typed answer has a reader of its own for its text. */
function wordsOf({ reply: { message }, request, target }: Received): {
  readonly text: string;
  readonly reasoning: string;
} {
  const { text, reasoning } = message;
  if (target !== undefined || request.answer !== true) return { text, reasoning };
  const { thought, answer } = splitThinking(text);
  if (answer === text) return { text, reasoning };
  return {
    text: answer,
    reasoning: [reasoning, thought].filter((part) => part !== "").join("\n\n"),
  };
}

function isActing({ reply, request }: Received): boolean {
  return reply.message.toolCalls.length > 0 && offersCalls(request);
}

/** True for a request in which the model may call something instead of answering. */
export function offersCalls({ tools, actions = [] }: GenerateRequest): boolean {
  return tools === true || actions.length > 0;
}

/** What becomes of a reply that was refused or cut, whatever of it can be read; undefined for a whole one. */
function fitPartial(frame: Frame, base: Reply, received: Received): Fit | undefined {
  const { reply, request, target } = received;
  const { finishReason, refusal = "" } = reply;
  const isCalling = isActing(received);
  const isWanted = isCalling || target !== undefined || request.answer === true;
  // Half a call is none: what its arguments lack may have been what mattered.
  const cut = isWanted ? CUTS[finishReason] : undefined;
  if (refusal !== "" && (!isCalling || cut !== undefined))
    return fitRefusal(frame, base, request, refusal);
  if (base.text.trim() === "" && !isCalling && finishReason === FILTERED)
    return fitRefusal(frame, base, request, say(frame, NOTHING_LEFT));
  return cut === undefined
    ? undefined
    : { ok: false, code: cut.code, message: say(frame, cut.message) };
}

/** What a reply without a text lacks; one that is thinking alone says so, since its text never began. */
function emptiness(frame: Frame, { reasoning, toolCalls }: Reply): Fit {
  if (toolCalls.length > 0) return { ok: false, code: "empty", message: say(frame, TOOLS_OFF) };
  return reasoning.trim() === ""
    ? { ok: false, code: "empty", message: say(frame, EMPTY) }
    : { ok: false, code: THINKING_ONLY, message: say(frame, NO_ANSWER) };
}

const EMPTY = definePrompt({ en: "the reply is empty", zh: "回复是空的" });
const NO_ANSWER = definePrompt({
  en: "the reply ends inside its thinking, and no answer follows",
  zh: "回复在思考中就结束了，后面没有答案",
});
const TOOLS_OFF = definePrompt({
  en: "it only asks for tools, and tools are off",
  zh: "它只请求了工具，而工具已关闭",
});
const NOTHING_LEFT = definePrompt({
  en: "a content filter of the endpoint let nothing through",
  zh: "端点的内容过滤器拦截了全部内容",
});

/** Reasons to end at which a reply is not whole, whatever of it can be read. The words are the same for every endpoint, so that a recording replays. */
const CUTS: Readonly<
  Partial<Record<FinishReason, { readonly code: string; readonly message: Prompt }>>
> = {
  length: {
    code: TRUNCATED,
    message: definePrompt({
      en: "the reply was cut at its token limit; say the same in fewer words",
      zh: "回复达到 token 上限而被截断；请用更少的字表达同样的内容",
    }),
  },
  [FILTERED]: {
    code: FILTERED,
    message: definePrompt({
      en: "a content filter of the endpoint cut the reply; say it in other words",
      zh: "端点的内容过滤器截断了回复；请换一种说法",
    }),
  },
};

/** Reads the value of a reply, and what was thought before it in the same text. */
function readForm(
  { message, undo }: Pick<ModelReply, "message" | "undo">,
  target: AnswerTarget,
): { readonly read: TypedReply; readonly thought: string } {
  if (target.form !== "free")
    return { read: readTypedReply(message.text, target, undo), thought: "" };
  const { reasoning, answer } = splitAnswer(message.text);
  return { read: readTypedReply(answer, target), thought: reasoning };
}

/** What is wrong with an object that stands beside calls of tools, where an answer of that kind is wanted; the calls are what counts. */
export function misfitBesideTools(
  text: string,
  target: AnswerTarget | undefined,
): string | undefined {
  if (target?.output === undefined || target.form === "separate") return undefined;
  const fields = Object.keys((target.output.schema["properties"] ?? {}) as object);
  const mayBeAnswer = text.includes("{") && fields.some((name) => text.includes(name));
  if (!mayBeAnswer) return undefined;
  const read = readTypedReply(text, target);
  return read.ok || read.code === "no-json" ? undefined : read.message;
}

function fitRefusal(frame: Frame, base: Reply, request: GenerateRequest, refusal: string): Fit {
  if (request.answer !== true)
    return { ok: false, code: "output-invalid", message: say(frame, REFUSED, { refusal }) };
  const answer: AnswerDraft = { text: refusal, solvable: false, unsolvableReason: refusal };
  return { ok: true, reply: { ...base, answer } };
}

const REFUSED = definePrompt({
  en: "the model refused: {{refusal}}",
  zh: "模型拒绝了请求：{{refusal}}",
});

function withKnownEvidence(frame: Frame, answer: AnswerDraft, key: string): AnswerDraft {
  const { known, unknown } = knownEvidence(answer.evidence ?? [], frame.state.observations);
  if (unknown.length > 0)
    tellRepairs(frame, key, [`dropped evidence that does not exist: ${unknown.join(", ")}`]);
  return { ...answer, evidence: known };
}

function tellRepairs(frame: Frame, key: string, repairs: readonly string[]): void {
  if (repairs.length > 0)
    frame.run.bus.emit("output.repaired", { repairs }, childScope(frame, key));
}
