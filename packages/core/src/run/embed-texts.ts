import type { CallPlace } from "../calls/call-places.ts";
import { isShut, letOutWhenFree, noteAnswer, noteFault } from "../calls/endpoint-gate.ts";
import { openRetryWaits } from "../calls/retry-waits.ts";
import { TimedCall } from "../calls/timed-call.ts";
import { waitFor } from "../calls/wait-for.ts";
import type { EmbedReply, EmbedRequest, Provider } from "../contracts/provider.ts";
import type { Clock } from "../contracts/service.ts";
import { isLoopwrightError, ProviderError } from "../errors/loopwright-error.ts";
import type { ModelEntry } from "../program/program.ts";
import { callFault } from "./call-fault.ts";
import { totalTokens } from "./model-cost.ts";
import { countable } from "./provider-call.ts";

/** One model that is asked for vectors, over all its attempts. */
export interface EmbedCall {
  readonly entry: ModelEntry;
  readonly provider: Provider;
  readonly place: CallPlace;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Vectors, and how often the endpoint was asked for them. */
export interface EmbeddedTexts extends EmbedReply {
  readonly attempts: number;
}

/** Asks for vectors as for a reply: within the limits of the account, in limited time, again where a fault may pass. */
export async function embedTexts(call: EmbedCall, request: EmbedRequest): Promise<EmbeddedTexts> {
  const { entry, clock, signal, place } = call;
  const { attempts, maxMs } = entry.calls.retry;
  let nextWait: (() => number) | undefined;
  for (let tried = 1; ; tried += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one attempt follows another
      return { ...(await attemptOnce(call, request)), attempts: tried };
    } catch (thrown) {
      const fault = callFault(signal, thrown, entry.id);
      const retryAfterMs = retryAfterOf(fault) ?? 0;
      const mayPass = isLoopwrightError(fault) && fault.retryable && retryAfterMs <= maxMs;
      if (signal.aborted || !mayPass || isShut(place, retryAfterMs) || tried >= attempts)
        throw fault;
      // oxlint-disable-next-line no-await-in-loop
      nextWait ??= await openRetryWaits(entry.calls.retry);
      // oxlint-disable-next-line no-await-in-loop
      await waitFor(clock, Math.max(retryAfterMs, nextWait()), signal);
    }
  }
}

async function attemptOnce(call: EmbedCall, request: EmbedRequest): Promise<EmbedReply> {
  const { entry, provider, place, clock, signal } = call;
  const patienceMs = entry.calls.retry.maxMs;
  const out = await letOutWhenFree(place, {
    model: entry.id,
    tokens: place.account.countsTokens ? reckonedTokens(request.texts) : 0,
    signal,
    patienceMs,
    tell: () => undefined,
  });
  const timed = new TimedCall({
    clock,
    signal,
    timeout: entry.calls.timeout,
    streams: false,
    model: entry.id,
  });
  try {
    const given = await timed.run(() => embedWith(provider, entry)(request, timed));
    const reply = checked(given, request.texts.length, entry);
    out.pass?.leave(totalTokens(reply.usage));
    await noteAnswer(place, out);
    return reply;
  } catch (thrown) {
    out.pass?.leave();
    const fault = callFault(signal, thrown, entry.id);
    await noteFault(place, out, { fault, saysNothing: signal.aborted, patienceMs });
    throw thrown;
  }
}

function embedWith(
  provider: Provider,
  { id, definition }: ModelEntry,
): NonNullable<Provider["embed"]> {
  if (provider.embed !== undefined) return provider.embed.bind(provider);
  throw new ProviderError(
    "provider-rejected",
    `${id}: the provider \`${definition.id}\` makes no vectors from texts; name an embedding model of another one, as \`openai/text-embedding-3-small\``,
    { details: { model: id, provider: definition.id } },
  );
}

/** Two characters a token are on the safe side. */
function reckonedTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.ceil(text.length / 2), 0);
}

/** A provider is somebody's code: what it returns is looked at before it is used. */
function checked(reply: EmbedReply, count: number, { id }: ModelEntry): EmbedReply {
  const vectors: unknown = reply?.vectors;
  const isWhole = Array.isArray(vectors) && vectors.length === count && vectors.every(isVector);
  const lengths = new Set(isWhole ? vectors.map(({ length }) => length) : []);
  if (!isWhole || lengths.size !== 1) {
    throw new ProviderError(
      "provider-failed",
      `${id} did not give one vector for each of ${count} texts, all of one length; check that it is an embedding model`,
      { details: { model: id } },
    );
  }
  return { vectors, usage: countable(reply.usage) };
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => Number.isFinite(one));
}

function retryAfterOf(fault: Error): number | undefined {
  const { retryAfterMs } = isLoopwrightError(fault) ? fault.details : {};
  return typeof retryAfterMs === "number" && retryAfterMs > 0 ? retryAfterMs : undefined;
}
