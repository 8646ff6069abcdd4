import type { Pass } from "../calls/account.ts";
import type { CallPlace } from "../calls/call-places.ts";
import { openRetryWaits } from "../calls/retry-waits.ts";
import { TimedCall } from "../calls/timed-call.ts";
import { waitFor } from "../calls/wait-for.ts";
import type { EmbedReply, EmbedRequest, Provider } from "../contracts/provider.ts";
import type { Clock } from "../contracts/service.ts";
import { isLoopwrightError, ProviderError } from "../errors/loopwright-error.ts";
import type { ModelEntry } from "../program/program.ts";
import { durationText } from "../spec/text/duration-text.ts";
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
      const isResting = place.breaker?.restMs() !== undefined;
      if (signal.aborted || !mayPass || isResting || tried >= attempts) throw fault;
      // oxlint-disable-next-line no-await-in-loop
      nextWait ??= await openRetryWaits(entry.calls.retry);
      // oxlint-disable-next-line no-await-in-loop
      await waitFor(clock, Math.max(retryAfterMs, nextWait()), signal);
    }
  }
}

async function attemptOnce(call: EmbedCall, request: EmbedRequest): Promise<EmbedReply> {
  const { entry, provider, place, clock, signal } = call;
  const pass = await enter(call, request);
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
    pass?.leave(totalTokens(reply.usage));
    if (place.breaker?.isCalm === false) await place.breaker.succeeded();
    return reply;
  } catch (thrown) {
    pass?.leave();
    await noteFault(call, callFault(signal, thrown, entry.id));
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

async function enter(
  { entry, place, signal }: EmbedCall,
  { texts }: EmbedRequest,
): Promise<Pass | undefined> {
  signal.throwIfAborted();
  refuseAtRest(entry, place);
  const { account, breaker } = place;
  const pass = account.isFree
    ? undefined
    : await account.enter({
        model: entry.id,
        tokens: account.countsTokens ? reckonedTokens(texts) : 0,
        signal,
        patienceMs: entry.calls.retry.maxMs,
        tell: () => undefined,
      });
  try {
    refuseAtRest(entry, place);
  } catch (fault) {
    pass?.leave(0);
    throw fault;
  }
  breaker?.begin();
  return pass;
}

function refuseAtRest({ id }: ModelEntry, { breaker }: CallPlace): void {
  const restMs = breaker?.restMs();
  if (restMs === undefined) return;
  throw new ProviderError(
    "provider-unavailable",
    `${id} failed too often in a row: no call goes there for ${durationText(Math.ceil(restMs))} more; try again then, or change its \`breaker\``,
    { retryable: true, details: { model: id, restMs } },
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

/** Tells the endpoint's breaker and account what the fault says about them. */
async function noteFault({ place, signal }: EmbedCall, fault: Error): Promise<void> {
  const { account, breaker } = place;
  const retryAfterMs = retryAfterOf(fault);
  if (!signal.aborted && retryAfterMs !== undefined) account.pause(retryAfterMs);
  if (signal.aborted || retryAfterMs !== undefined) breaker?.leave();
  else if (isLoopwrightError(fault) && fault.retryable) await breaker?.failed();
  else await breaker?.succeeded();
}

function retryAfterOf(fault: Error): number | undefined {
  const { retryAfterMs } = isLoopwrightError(fault) ? fault.details : {};
  return typeof retryAfterMs === "number" && retryAfterMs > 0 ? retryAfterMs : undefined;
}
