import { WholeEvents } from "./whole-events.ts";

/** The header by which a request is told from the others; it is not sent. */
export const CALL_HEADER: string = "loopwright-call";

/** What is heard of requests. */
export interface FetchWatcher {
  /** The server is not there, or does not know the session any more; the request had no effect where it was refused. */
  readonly lost: (call: string | undefined, fault: Error, wasRefused: boolean) => void;
  /** A reply has ended, and if the answer was in it, it has been read; `canResume` where the rest of it may be asked for. */
  readonly ended: (call: string, canResume: boolean) => void;
}

/** How long what a reply held may take to be read. */
const readMs = 25;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Passes requests on and tells what becomes of those that are not answered. */
export function watchedFetch(fetch: Fetch, watcher: FetchWatcher): Fetch {
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    const call = headers.get(CALL_HEADER) ?? undefined;
    headers.delete(CALL_HEADER);
    let response: Response;
    try {
      response = await fetch(url, { ...init, headers });
    } catch (fault) {
      if (init.signal?.aborted !== true) watcher.lost(call, asError(fault), isUnreachable(fault));
      throw fault;
    }
    if (response.status === 404 && headers.has("mcp-session-id"))
      watcher.lost(call, new Error("the server does not know the connection any more"), true);
    return watchedBody(response, {
      ended: (canResume) => {
        if (call !== undefined) watcher.ended(call, canResume);
      },
      tooLong: (fault) => watcher.lost(call, fault, false),
    });
  };
}

interface BodyWatcher {
  /** Called when a stream of events has ended, however it did; `canResume` where it can be taken up again. */
  readonly ended: (canResume: boolean) => void;
  readonly tooLong: (fault: Error) => void;
}

/** The same response; it is told when its body has ended, and left where a message in it is too long. */
function watchedBody(response: Response, watcher: BodyWatcher): Response {
  const { body } = response;
  if (body === null) return response;
  const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
  const reader = body.getReader();
  const events = new WholeEvents(isStream);
  const decoder = new TextDecoder();
  let canResume = false;
  const later = (): void => {
    if (isStream) setTimeout(() => watcher.ended(canResume), readMs);
  };
  const read = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one piece after the other
      const { done, value } = await reader.read();
      if (done) return undefined;
      const whole = wholeOf(events, value, watcher);
      if (whole !== undefined) return whole;
    }
  };
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const whole = (await read()) ?? events.rest();
        if (whole !== undefined) {
          if (isStream) canResume ||= /(?:^|\n)id:/u.test(decoder.decode(whole, { stream: true }));
          controller.enqueue(whole);
          return;
        }
        controller.close();
        later();
      } catch (fault) {
        controller.error(fault);
        reader.cancel(fault).catch(() => undefined);
        later();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(watched, { status, statusText, headers });
}

function wholeOf(
  events: WholeEvents,
  piece: Uint8Array,
  { tooLong }: BodyWatcher,
): Uint8Array | undefined {
  try {
    return events.push(piece);
  } catch (fault) {
    tooLong(fault as Error);
    throw fault;
  }
}

const unreachable = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Whether nobody was there to take the request. */
function isUnreachable(fault: unknown): boolean {
  const cause: unknown = fault instanceof Error ? fault.cause : undefined;
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "string" && unreachable.has(code);
}

function asError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error(String(fault));
}
