import type { TSchema } from "@sinclair/typebox";
import type { ModelEntry, OutputDeclaration } from "../program/program.ts";
import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type { Message } from "../contracts/message.ts";
import type { ProviderReply, ToolDescription } from "../contracts/provider.ts";
import type { AnswerDraft } from "../contracts/state.ts";
import type { GenerateRequest, Reply } from "../contracts/strategy.ts";
import type { ErrorCode } from "../errors/error-codes.ts";
import { InternalError, ProviderError } from "../errors/loopwright-error.ts";
import { envelopeSchema, openEnvelope } from "../output/answer-envelope.ts";
import { defaultRepair } from "../output/default-repair.ts";
import { type ReplyTarget, readTypedReply } from "../output/read-typed-reply.ts";
import { callModel } from "./call-model.ts";
import { checkDraft } from "./check-draft.ts";
import { citedEvidence, knownEvidence } from "./evidence-citations.ts";
import { promptText, systemText } from "./prompt-text.ts";
import { fedBack } from "./fed-back.ts";
import { type Frame, childScope } from "./run-scope.ts";

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
): Promise<Reply & { value?: Json }> {
  const voice = request.voice ?? "default";
  const entry = modelFor(frame, voice);
  const target = targetOf(frame, request);
  const sent = conversation(frame, request, voice);
  const system: Message = {
    role: "system",
    text: systemText(frame, request.system, target?.schema, request.messages),
  };
  const offered = request.tools === true ? tools : [];
  let messages: readonly Message[] = system.text === "" ? sent : [system, ...sent];
  const attempts = 1 + repairsOf(frame);
  for (let number = 1; number <= attempts; number++) {
    const attemptKey = number === 1 ? key : `${key}.repair:${number - 1}`;
    const reply = await callModel(frame, attemptKey, entry, {
      voice,
      messages,
      tools: offered,
      sampling: request.sampling ?? {},
      ...(target === undefined ? {} : { output: { name: target.name, schema: target.schema } }),
    });
    const fitting = fitReply(frame, { reply, sent, request, target, key: attemptKey });
    const fit = isToBeJudged(fitting) ? await judged(frame, fitting) : fitting;
    if (fit.ok) return fit.reply;
    frame.run.bus.emit(
      "output.rejected",
      { code: fit.code, message: fit.message, attempt: number, attempts },
      childScope(frame, attemptKey),
    );
    if (number === attempts) throw rejected(frame, fit, attempts);
    messages = fedBack(messages, reply, fit.message);
  }
  throw new InternalError("contract-broken", "a reply was neither accepted nor rejected");
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

type Fit =
  | { readonly ok: true; readonly reply: FittingReply }
  | { readonly ok: false; readonly code: string; readonly message: string };

type FittingReply = Reply & { value?: Json };
type Answering = FittingReply & { readonly answer: AnswerDraft };

/** True for an answer that the output's checks have to judge; one that says why the task can't be done is let pass. */
function isToBeJudged(fit: Fit): fit is { readonly ok: true; readonly reply: Answering } {
  return fit.ok && fit.reply.answer !== undefined && fit.reply.answer.solvable !== false;
}

async function judged(
  frame: Frame,
  fit: { readonly ok: true; readonly reply: Answering },
): Promise<Fit> {
  const faults = await checkDraft(frame, fit.reply.answer);
  return faults === "" ? fit : { ok: false, code: "output-invalid", message: faults };
}

/** A reply, what was asked for, and the key of the call. */
interface Received {
  readonly reply: ProviderReply;
  readonly sent: readonly Message[];
  readonly request: GenerateRequest;
  readonly target: ReplyTarget | undefined;
  readonly key: string;
}

function fitReply(frame: Frame, { reply, sent, request, target, key }: Received): Fit {
  const { message, finishReason, refusal } = reply;
  const base = {
    text: message.text,
    reasoning: message.reasoning,
    toolCalls: message.toolCalls,
    message,
    finishReason,
    sent,
  };
  if (message.toolCalls.length > 0 && request.tools === true) return { ok: true, reply: base };
  const isEmpty = message.text.trim() === "";
  if (refusal !== undefined && refusal !== "") return fitRefusal(base, request, refusal);
  if (isEmpty && finishReason === "content-filter") return fitRefusal(base, request, FILTERED);
  if (finishReason === "length" && (target !== undefined || request.answer === true)) {
    return {
      ok: false,
      code: "output-truncated",
      message: "the reply was cut at its token limit; say the same in fewer words",
    };
  }
  if (target === undefined && request.answer !== true) return { ok: true, reply: base };
  if (isEmpty && request.tools !== true) {
    const isAsking = message.toolCalls.length > 0;
    return { ok: false, code: "empty", message: isAsking ? TOOLS_OFF : EMPTY };
  }
  if (target === undefined) {
    const answer = textAnswer(frame, message.text, message.reasoning, key);
    return { ok: true, reply: { ...base, answer } };
  }
  const read = readTypedReply(message.text, target);
  if (!read.ok) return { ok: false, code: read.code, message: read.message };
  tellRepairs(frame, key, read.repairs);
  const { value } = read;
  const { output } = target;
  if (output === undefined) return { ok: true, reply: { ...base, value } };
  const opened = read.unsolvable ?? openEnvelope(value as JsonObject, output);
  return { ok: true, reply: { ...base, value, answer: withKnownEvidence(frame, opened, key) } };
}

const EMPTY = "the reply is empty";
const TOOLS_OFF = "it only asks for tools, and tools are off";
const FILTERED = "a content filter of the endpoint let nothing through";

function fitRefusal(base: Reply, request: GenerateRequest, refusal: string): Fit {
  if (request.answer !== true)
    return { ok: false, code: "output-invalid", message: `the model refused: ${refusal}` };
  const answer: AnswerDraft = { text: refusal, solvable: false, unsolvableReason: refusal };
  return { ok: true, reply: { ...base, answer } };
}

function textAnswer(frame: Frame, text: string, reasoning: string, key: string): AnswerDraft {
  return withKnownEvidence(
    frame,
    { text: text.trim(), reasoning, evidence: citedEvidence(text) },
    key,
  );
}

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

function targetOf(
  frame: Frame,
  request: GenerateRequest & { readonly schema?: TSchema },
): ReplyTarget | undefined {
  if (request.schema !== undefined) {
    return {
      name: "reply",
      schema: closed(request.schema),
      withReasoning: false,
    };
  }
  const output = frame.run.linked.program.output;
  if (request.answer !== true || output === undefined) return undefined;
  const withReasoning = request.reasoning === "first" || output.reasoning === "first";
  return { name: "answer", schema: envelopeOf(output, withReasoning), output, withReasoning };
}

const closedSchemas = new WeakMap<object, JsonSchema>();
const envelopes = new WeakMap<object, Map<boolean, JsonSchema>>();

/** Schemas are made once, so that their validators are compiled once. */
function envelopeOf(output: OutputDeclaration, withReasoning: boolean): JsonSchema {
  const made = envelopes.get(output) ?? new Map<boolean, JsonSchema>();
  envelopes.set(output, made);
  const schema = made.get(withReasoning) ?? envelopeSchema(output, withReasoning);
  made.set(withReasoning, schema);
  return schema;
}

/** A strategy's schema as plain JSON. */
function closed(schema: JsonSchema): JsonSchema {
  const made = closedSchemas.get(schema) ?? (JSON.parse(JSON.stringify(schema)) as JsonSchema);
  closedSchemas.set(schema, made);
  return made;
}

function conversation(frame: Frame, request: GenerateRequest, voice: string): readonly Message[] {
  const prompt = promptText(frame, request.prompt, voice);
  const before = request.messages ?? [];
  return prompt === undefined ? before : [...before, { role: "user", text: prompt }];
}

function repairsOf(frame: Frame): number {
  if (frame.purpose === "conclusion") return 0;
  return frame.run.linked.program.output?.repair ?? defaultRepair;
}

const REJECTIONS: Readonly<Record<string, ErrorCode>> = {
  empty: "output-empty",
  "output-truncated": "output-truncated",
};

function rejected(
  frame: Frame,
  fit: { readonly code: string; readonly message: string },
  attempts: number,
): ProviderError {
  const code = REJECTIONS[fit.code] ?? "output-invalid";
  return new ProviderError(
    code,
    `stage \`${frame.scope.stage}\`: the model's reply does not fit after ${attempts} attempt${attempts === 1 ? "" : "s"}: ${fit.message}`,
    {
      details: { stage: frame.stage?.id ?? "", reason: fit.code },
    },
  );
}
