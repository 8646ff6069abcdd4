import { messageOf, ToolError } from "@loopwright/core/plugin";
import { readExcerpt } from "./read-body.ts";

const maxRedirects = 5;
const maxExcerpt = 300;
const retryableStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** How requests of one call are sent. */
export interface Wire {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

/** Sends a GET request and follows redirects within the host; a status of 400 or above is a ToolError. */
export async function request(
  first: URL,
  headers: Readonly<Record<string, string>>,
  wire: Wire,
): Promise<Response> {
  let url = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const reply = await send(url, headers, wire);
    const location = reply.headers.get("location");
    if (reply.status >= 400) throw await statusError(url, reply);
    if (reply.status < 300 || location === null) return reply;
    await reply.body?.cancel();
    url = redirected(url, location);
  }
  throw new ToolError("tool-failed", `${first.host} redirects more than ${maxRedirects} times.`);
}

async function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { fetch, signal }: Wire,
): Promise<Response> {
  try {
    return await fetch(url, { headers, signal, redirect: "manual" });
  } catch (cause) {
    signal.throwIfAborted();
    const reason =
      cause instanceof Error && cause.cause !== undefined
        ? messageOf(cause.cause)
        : messageOf(cause);
    throw new ToolError("tool-failed", `${url.host} can't be reached: ${reason}`, {
      cause,
      retryable: true,
    });
  }
}

async function statusError(url: URL, reply: Response): Promise<ToolError> {
  const excerpt = await readExcerpt(reply, maxExcerpt);
  const words = excerpt === "" ? "without a text" : `with: ${excerpt}`;
  return new ToolError("tool-failed", `${url.host} answered with status ${reply.status} ${words}`, {
    details: { status: reply.status },
    retryable: retryableStatuses.has(reply.status),
  });
}

/** Follows within one host only; leaving https is refused. */
function redirected(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const isUpgrade =
    to?.protocol === "https:" &&
    to.hostname === from.hostname &&
    from.port === "" &&
    to.port === "";
  if (to !== undefined && (to.origin === from.origin || isUpgrade)) return to;
  throw new ToolError(
    "tool-failed",
    `${from.host} redirects to ${to?.origin ?? location}, another host; it is not followed.`,
  );
}
