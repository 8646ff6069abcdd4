import type { TSchema } from "@sinclair/typebox";
import type { ModelEntry } from "../program/program.ts";
import type { Message } from "../contracts/message.ts";
import type { ToolDescription } from "../contracts/provider.ts";
import type { GenerateRequest } from "../contracts/strategy-context.ts";
import { isLoopwrightError } from "../errors/loopwright-error.ts";
import { type AnswerTarget, targetOf } from "./answer-target.ts";
import { behindLast } from "./behind-last.ts";
import { besideTools } from "./beside-tools.ts";
import { callModel } from "./call-model.ts";
import { cutText } from "./cut-text.ts";
import { fedBack, replied } from "./fed-back.ts";
import {
  CHECK_FAILED,
  type Fit,
  type FittingReply,
  fitReply,
  offersCalls,
  TRUNCATED,
} from "./fit-reply.ts";
import { fieldsText, formText } from "./form-text.ts";
import { languageOf } from "./language-of.ts";
import { modelFor } from "./model-for.ts";
import type { ModelReply, ModelRequest } from "./model-request.ts";
import { offeredCalls } from "./offered-calls.ts";
import { misfitError } from "./misfit-error.ts";
import { promptText, systemText } from "./prompt-text.ts";
import { hearing } from "./hear-messages.ts";
import { type RepairBudget, repairBudget } from "./repair-budget.ts";
import { childScope, type Frame } from "./run-scope.ts";

/**
 * Asks a model and makes sure that the reply fits: the fault is fed back to the model as often as the spec allows.
 *
 * An empty reply is no answer and does not fit, but only where tools are off: a stage that offers tools may nudge a model
 * that says nothing, in the words of its own method.
 */
export async function generate(
  frame: Frame,
  key: string,
  request: GenerateRequest & { readonly schema?: TSchema },
  tools: readonly ToolDescription[],
): Promise<FittingReply> {
  const budget = repairBudget(frame);
  const question = questionOf(frame, key, request, tools);
  const { target } = question;
  const reply = await ask(frame, key, question, budget);
  const isOver = reply.answer !== undefined || (offersCalls(request) && reply.toolCalls.length > 0);
  if (target?.form !== "separate" || isOver) return reply;
  const written = await ask(
    frame,
    `${key}.fields`,
    writing(frame, question, target, reply),
    budget,
  );
  const { answer, ...rest } = written;
  return answer === undefined ? rest : { ...rest, answer: { ...answer, reasoning: reply.text } };
}

/** What a model is asked, and what the reply must be. */
interface Question {
  readonly entry: ModelEntry;
  readonly request: GenerateRequest;
  readonly voice: string;
  readonly tools: readonly ToolDescription[];
  readonly target: AnswerTarget | undefined;
  readonly messages: readonly Message[];
  /** The messages without the system's and without the tail, for strategies that keep a thread. */
  readonly sent: readonly Message[];
}

function questionOf(
  frame: Frame,
  key: string,
  request: GenerateRequest & { readonly schema?: TSchema },
  tools: readonly ToolDescription[],
): Question {
  const voice = request.voice ?? "default";
  const target = targetOf(frame, request);
  const sent = hearing(frame, key, request, conversation(frame, request, voice, target));
  const form = target === undefined ? "" : formText(target, languageOf(frame));
  const text = systemText(frame, request.system, form, request.messages);
  const shown = behindLast(sent, request.tail);
  const messages: readonly Message[] = text === "" ? shown : [{ role: "system", text }, ...shown];
  const offered = offeredCalls(frame, request, tools);
  const entry = modelFor(frame, voice);
  return { entry, request, voice, tools: offered, target, messages, sent };
}

/** The question that follows free text: to write down the fields, without tools. */
function writing(
  frame: Frame,
  question: Question,
  target: AnswerTarget,
  thought: FittingReply,
): Question {
  return {
    ...question,
    request: { ...question.request, tools: false, actions: [] },
    tools: [],
    target: { ...target, form: "whole" },
    messages: replied(question.messages, thought.message, fieldsText(target, languageOf(frame))),
  };
}

/** Asks until a reply fits or the budget for repairs is spent. */
async function ask(
  frame: Frame,
  key: string,
  question: Question,
  budget: RepairBudget,
): Promise<FittingReply> {
  const { entry, voice, tools, request, sent, target } = question;
  let { messages } = question;
  const sampling = request.sampling ?? {};
  let maxTokens: number | undefined;
  let last: Misfit | undefined;
  for (let number = 0; ; number++) {
    const attemptKey = number === 0 ? key : `${key}.repair:${number}`;
    const raised = maxTokens === undefined ? sampling : { ...sampling, maxTokens };
    const asked = { voice, messages, tools, sampling: raised, ...outputOf(target) };
    const reply = await askAfter(last, frame, attemptKey, entry, asked);
    if (reply instanceof Error) {
      // A limit that the endpoint does not take: the words for a shorter reply stand in the messages.
      maxTokens = undefined;
      const isLast = !budget.canRepair("format");
      const { attempt } = budget.reject("format");
      if (isLast) throw misfitError(frame, last as Misfit, attempt, reply);
      continue;
    }
    const fit = await fitReply(frame, { reply, sent, request, target, key: attemptKey });
    if (fit.ok) return fit.reply;
    last = fit;
    const kind = fit.code === CHECK_FAILED ? "checks" : "format";
    const isLast = budget.isBrokenAgain(fit.broken) || !budget.canRepair(kind);
    const limit = fit.code === TRUNCATED && !isLast ? budget.raisedLimit(reply) : undefined;
    maxTokens = limit ?? maxTokens;
    const count = budget.reject(kind);
    tellRejected(frame, attemptKey, entry, reply, { fit, limit, ...count });
    if (isLast) {
      // Where the limits of the run left the reply no room, they are what ends the work.
      const isCutShort = fit.code === TRUNCATED && reply.isCapped === true;
      // A model that only asks for tools where none can be called any more.
      const wantsTools = tools.length === 0 && reply.message.toolCalls.length > 0;
      throw (
        (isCutShort ? frame.ledger.cutShort() : undefined) ??
        (wantsTools ? frame.ledger.refuseToolCall() : undefined) ??
        fit.broken ??
        misfitError(frame, fit, count.attempt)
      );
    }
    messages = fedBack(messages, reply.message, fit.message, languageOf(frame));
  }
}

/** Asks a model; where it refuses what follows a reply that was cut, the refusal is returned, since the raised limit may be why. */
async function askAfter(
  last: Misfit | undefined,
  ...call: Parameters<typeof callModel>
): Promise<ModelReply | Error> {
  try {
    return await callModel(...call);
  } catch (thrown) {
    const isRefused = isLoopwrightError(thrown) && thrown.code === "provider-rejected";
    // Not for a raised limit alone: whether there was one depends on the endpoint, and a recording must replay.
    if (isRefused && last?.code === TRUNCATED) return thrown;
    throw thrown;
  }
}

/** Free text before the answer can't be written under a schema, and before a call for the fields none is asked for. */
function outputOf(target: AnswerTarget | undefined): Pick<ModelRequest, "output"> {
  if (target === undefined || target.form === "separate") return {};
  const { name, schema, form } = target;
  return { output: { name, schema, ...(form === "free" ? { layer: "prompt" as const } : {}) } };
}

const maxKept = 20;
const maxKeptChars = 64_000;

type Misfit = Extract<Fit, { readonly ok: false }>;

/** A reply that was refused: why, the limit of the next one where it is raised, and which attempt it was. */
interface Refused {
  readonly fit: Misfit;
  readonly limit: number | undefined;
  readonly attempt: number;
  readonly attempts: number;
}

/** Tells that a reply was refused, and keeps it for the dead letters. */
function tellRejected(
  frame: Frame,
  key: string,
  entry: ModelEntry,
  { message: said, finishReason, usage, model = entry.id }: ModelReply,
  { fit, limit, ...count }: Refused,
): void {
  const { bus, rejected: kept } = frame.run;
  const { code, message } = fit;
  const told = limit === undefined ? message : `${message}; the next may have ${limit} tokens`;
  bus.emit("output.rejected", { code, message: told, ...count }, childScope(frame, key));
  const { stage } = frame.scope;
  const text = cutText(said.text, maxKeptChars);
  const reasoning = cutText(said.reasoning, maxKeptChars);
  const thought = reasoning === "" ? {} : { reasoning };
  kept.push({ stage, key, model, text, ...thought, finishReason, code, message, usage });
  if (kept.length > maxKept) kept.shift();
}

function conversation(
  frame: Frame,
  request: GenerateRequest,
  voice: string,
  target: AnswerTarget | undefined,
): readonly Message[] {
  const prompt = promptText(frame, request.prompt, voice, request.bind);
  const before = request.messages ?? [];
  const told = besideTools(frame, before, target);
  if (prompt === undefined) return behindLast(before, told);
  return [...before, { role: "user", text: told === undefined ? prompt : `${told}\n\n${prompt}` }];
}
