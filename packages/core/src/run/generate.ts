import type { TSchema } from "@sinclair/typebox";
import type { ModelEntry } from "../program/program.ts";
import type { Message } from "../contracts/message.ts";
import type { ToolDescription } from "../contracts/provider.ts";
import type { GenerateRequest } from "../contracts/strategy.ts";
import type { ErrorCode } from "../errors/error-codes.ts";
import { InternalError, ProviderError } from "../errors/loopwright-error.ts";
import { type AnswerTarget, targetOf } from "./answer-target.ts";
import { callModel } from "./call-model.ts";
import { cutText } from "./cut-text.ts";
import { fedBack, replied } from "./fed-back.ts";
import {
  CHECK_FAILED,
  type Fit,
  type FittingReply,
  fitReply,
  misfitBesideTools,
  TRUNCATED,
} from "./fit-reply.ts";
import { fieldsText, formText } from "./form-text.ts";
import type { ModelReply, ModelRequest } from "./model-request.ts";
import { promptText, systemText } from "./prompt-text.ts";
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
  const question = questionOf(frame, request, tools);
  const { target } = question;
  const reply = await ask(frame, key, question, budget);
  const isOver =
    reply.answer !== undefined || (request.tools === true && reply.toolCalls.length > 0);
  if (target?.form !== "separate" || isOver) return reply;
  const written = await ask(frame, `${key}.fields`, writing(question, target, reply), budget);
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
  /** The messages without the system's, for strategies that keep a thread. */
  readonly sent: readonly Message[];
}

function questionOf(
  frame: Frame,
  request: GenerateRequest & { readonly schema?: TSchema },
  tools: readonly ToolDescription[],
): Question {
  const voice = request.voice ?? "default";
  const target = targetOf(frame, request);
  const sent = conversation(frame, request, voice, target);
  const form = target === undefined ? "" : formText(target);
  const text = systemText(frame, request.system, form, request.messages);
  const messages: readonly Message[] = text === "" ? sent : [{ role: "system", text }, ...sent];
  const offered = request.tools === true ? tools : [];
  const entry = modelFor(frame, voice);
  return { entry, request, voice, tools: offered, target, messages, sent };
}

/** The question that follows free text: to write down the fields, without tools. */
function writing(question: Question, target: AnswerTarget, thought: FittingReply): Question {
  return {
    ...question,
    request: { ...question.request, tools: false },
    tools: [],
    target: { ...target, form: "whole" },
    messages: replied(question.messages, thought.message, fieldsText(target)),
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
  let sampling = request.sampling ?? {};
  for (let number = 0; ; number++) {
    const attemptKey = number === 0 ? key : `${key}.repair:${number}`;
    const asked = { voice, messages, tools, sampling, ...outputOf(target) };
    const reply = await callModel(frame, attemptKey, entry, asked);
    const fit = await fitReply(frame, { reply, sent, request, target, key: attemptKey });
    if (fit.ok) return fit.reply;
    const kind = fit.code === CHECK_FAILED ? "checks" : "format";
    const isLast = !budget.canRepair(kind);
    const raised = fit.code === TRUNCATED && !isLast ? budget.raisedLimit(reply) : 0;
    const message = raised > 0 ? roomFor(raised) : fit.message;
    if (raised > 0) sampling = { ...sampling, maxTokens: raised };
    const count = budget.reject(kind);
    tellRejected(frame, attemptKey, entry, reply, { code: fit.code, message, ...count });
    if (isLast) throw rejected(frame, fit, count.attempt);
    messages = fedBack(messages, reply.message, message);
  }
}

function roomFor(maxTokens: number): string {
  return `the reply was cut at its token limit; the limit for the next one is ${maxTokens} tokens`;
}

/** Free text before the answer can't be written under a schema, and before a call for the fields none is asked for. */
function outputOf(target: AnswerTarget | undefined): Pick<ModelRequest, "output"> {
  if (target === undefined || target.form === "separate") return {};
  const { name, schema, form } = target;
  return { output: { name, schema, ...(form === "free" ? { layer: "prompt" as const } : {}) } };
}

const maxKept = 20;
const maxKeptChars = 64_000;

/** Tells that a reply was refused, and keeps it for the dead letters. */
function tellRejected(
  frame: Frame,
  key: string,
  entry: ModelEntry,
  { message: said, finishReason, usage, model = entry.id }: ModelReply,
  fault: {
    readonly code: string;
    readonly message: string;
    readonly attempt: number;
    readonly attempts: number;
  },
): void {
  const { bus, rejected: kept } = frame.run;
  bus.emit("output.rejected", fault, childScope(frame, key));
  const { stage } = frame.scope;
  const { code, message } = fault;
  const text = cutText(said.text, maxKeptChars);
  kept.push({ stage, key, model, text, finishReason, code, message, usage });
  if (kept.length > maxKept) kept.shift();
}

/** The model that speaks with a voice. */
function modelFor(frame: Frame, voice: string): ModelEntry {
  const models = frame.stage?.models ?? {};
  const entry = models[voice] ?? models["default"];
  if (entry !== undefined) return entry;
  throw new InternalError(
    "strategy-failed",
    `stage \`${frame.scope.stage}\` asks a model as \`${voice}\`, but it has none (\`model: none\`)`,
  );
}

function conversation(
  frame: Frame,
  request: GenerateRequest,
  voice: string,
  target: AnswerTarget | undefined,
): readonly Message[] {
  const prompt = promptText(frame, request.prompt, voice);
  const before = request.messages ?? [];
  const told = besideTools(before, target);
  const texts = [told, prompt].filter((text) => text !== undefined);
  return texts.length === 0 ? before : [...before, { role: "user", text: texts.join("\n\n") }];
}

/** What a model is told, after the results of its calls, of an object beside those calls that is no answer. */
function besideTools(
  messages: readonly Message[],
  target: AnswerTarget | undefined,
): string | undefined {
  if (messages.at(-1)?.role !== "tool") return undefined;
  const asking = messages.findLast((message) => message.role === "assistant");
  const fault = misfitBesideTools(asking?.text ?? "", target);
  if (fault === undefined) return undefined;
  return `The object beside your tool calls was not taken as the answer, and it does not fit: ${fault}. Give the whole answer once you need no further call.`;
}

const REJECTIONS: Readonly<Record<string, ErrorCode>> = {
  empty: "output-empty",
  [TRUNCATED]: "output-truncated",
};

function rejected(
  frame: Frame,
  fit: Extract<Fit, { readonly ok: false }>,
  attempts: number,
): ProviderError {
  const code = REJECTIONS[fit.code] ?? "output-invalid";
  return new ProviderError(
    code,
    `stage \`${frame.scope.stage}\`: the model's reply does not fit after ${attempts} attempt${attempts === 1 ? "" : "s"}: ${fit.message}`,
    { details: { stage: frame.stage?.id ?? "", reason: fit.code } },
  );
}
