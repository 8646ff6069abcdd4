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
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    return call === undefined || !isStream
      ? response
      : withEnd(response, (canResume) => watcher.ended(call, canResume));
  };
}

/** The same response; `ended` is called when its body has ended, however it did, unless it can be taken up again. */
function withEnd(response: Response, ended: (canResume: boolean) => void): Response {
  const { body } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let canResume = false;
  const later = (): void => void setTimeout(() => ended(canResume), readMs);
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (value !== undefined) {
          canResume ||= /(?:^|\n)id:/u.test(decoder.decode(value, { stream: true }));
          controller.enqueue(value);
        }
        if (done) {
          controller.close();
          later();
        }
      } catch (fault) {
        controller.error(fault);
        later();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(watched, { status, statusText, headers });
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
