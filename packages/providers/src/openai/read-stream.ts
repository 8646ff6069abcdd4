import {
  AbortError,
  type Clock,
  type ProviderCall,
  type ProviderReply,
} from "@loopwright/core/plugin";
import { ReplyParts, type ReplyTask } from "./from-reply.ts";

/** How long a stream that is finished may go on in silence before it is left. */
const SILENCE_MS = 1_000;
/** The same where the token counts that were asked for have not come. */
const SILENCE_BEFORE_USAGE_MS = 3_000;

/**
 * Reads a reply from the chunks of a stream.
 *
 * Some servers neither say that a stream is over nor close it; others send counts, or even text, after the reason to finish.
 * So what comes behind the reason is read, and a stream that is then silent is left. `bodyOf` tells what came where it was no stream.
 */
export async function readStream(
  chunks: AsyncIterable<unknown>,
  task: ReplyTask,
  { signal, onDelta, onActivity }: ProviderCall,
  clock: Clock,
  bodyOf: () => string | undefined = () => undefined,
): Promise<ProviderReply> {
  const parts = new ReplyParts(task, onDelta);
  const iterator = chunks[Symbol.asyncIterator]();
  let isOpen = true;
  try {
    while (isOpen) {
      const next = await nextOf(iterator, silenceOf(parts, task), clock);
      if (next === undefined) break;
      isOpen = next.done !== true;
      if (!isOpen) break;
      const chunk = next.value;
      if (isError(chunk))
        throw Object.assign(new Error("an error in the stream"), { error: chunk });
      if (parts.add(chunk)) onActivity?.();
    }
  } finally {
    if (isOpen) leave(chunks);
  }
  // The library ends an aborted stream as if it were whole.
  if (signal.aborted) throw reasonOf(signal);
  return parts.finish(bodyOf());
}

/** The error with which an aborted call ends. */
export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error
    ? signal.reason
    : new AbortError("The model call was aborted.");
}

function silenceOf(parts: ReplyParts, { profile }: ReplyTask): number | undefined {
  if (!parts.isFinished) return undefined;
  return profile.streamUsage && !parts.hasUsage ? SILENCE_BEFORE_USAGE_MS : SILENCE_MS;
}

/** The next chunk; nothing where there is a time for it and it passed. */
function nextOf(
  iterator: AsyncIterator<unknown>,
  silenceMs: number | undefined,
  clock: Clock,
): Promise<IteratorResult<unknown> | undefined> {
  const next = iterator.next();
  if (silenceMs === undefined) return next;
  return new Promise((resolve, reject) => {
    const cancel = clock.after(silenceMs, () => resolve(undefined));
    next.then(resolve, reject).finally(cancel);
  });
}

/** Ends a stream that still goes on, though a chunk may be waited for. */
function leave(chunks: AsyncIterable<unknown>): void {
  (chunks as { readonly controller?: AbortController }).controller?.abort();
}

/** Some servers send an error like a chunk; the library knows those that are wrapped in `error`. */
function isError(chunk: unknown): boolean {
  return (chunk as { object?: unknown } | null)?.object === "error";
}
