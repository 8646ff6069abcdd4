import { InternalError } from "../errors/loopwright-error.ts";
import type { ModelEntry } from "../program/program.ts";
import { callAgain, handOn } from "./call-again.ts";
import { FailedAttempt, makeAttempt } from "./make-attempt.ts";
import { firstAttempt, openModelCall, toolsLacking } from "./model-call.ts";
import type { ModelReply, ModelRequest } from "./model-request.ts";
import { childScope, type Frame } from "./run-scope.ts";

/** Calls a model, then its fallbacks in order while the endpoints fail; every attempt is an event and counts as a request. */
export function callModel(
  frame: Frame,
  key: string,
  entry: ModelEntry,
  request: ModelRequest,
): Promise<ModelReply> {
  return entry.fallback.length === 0 || frame.purpose === "conclusion"
    ? (callOne(frame, key, entry, request, undefined) as Promise<ModelReply>)
    : callInTurn(frame, key, [entry, ...entry.fallback], request);
}

async function callInTurn(
  frame: Frame,
  key: string,
  chain: readonly ModelEntry[],
  request: ModelRequest,
): Promise<ModelReply> {
  for (const [index, model] of chain.entries()) {
    const modelKey = index === 0 ? key : `${key}.fallback:${index}`;
    const reply = await callOne(frame, modelKey, model, request, chain[index + 1]);
    if (reply !== undefined) return reply;
  }
  throw new InternalError("contract-broken", "the last model neither answered nor failed");
}

/** One model; undefined when its endpoint failed and the `next` model may try, so never where there is none. */
async function callOne(
  frame: Frame,
  key: string,
  entry: ModelEntry,
  request: ModelRequest,
  next: ModelEntry | undefined,
): Promise<ModelReply | undefined> {
  frame.signal.throwIfAborted();
  const call = openModelCall(frame, key, entry, request);
  const lacking = toolsLacking(call);
  if (lacking !== undefined)
    return handOn(call, childScope(frame, key), lacking, next, { tried: 1, most: 1 });
  const outcome = await makeAttempt(call, firstAttempt(call));
  return outcome instanceof FailedAttempt ? callAgain(call, outcome, next) : outcome;
}
