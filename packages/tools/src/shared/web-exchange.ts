import { messageOf, ToolError } from "@loopwright/core/plugin";
import { isAllowed } from "./allowed-hosts.ts";
import { readExcerpt } from "./read-body.ts";
import { type HostAddress, type Lookup, resolveHost, systemLookup } from "./public-address.ts";

const maxRedirects = 5;
const maxExcerpt = 300;
const retryableStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** One request of a tool. */
export interface WebRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What is open to the requests of a tool. */
export interface WebRules {
  /** The address that the spec itself names: its host may be private. */
  readonly own: URL | undefined;
  /** The hosts open beside it; undefined where any public one is, and no redirect leads to another. */
  readonly allow: readonly string[] | undefined;
  readonly isPrivateAllowed: boolean;
}

/** How requests of one call are sent. */
export interface Wire {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly lookup?: Lookup;
}

/**
 * Sends a request and reads the reply. Each address is checked and connected to as it was checked, also after a redirect;
 * only GET follows those, without the headers once it leaves the first origin. A status of 400 or above is a ToolError.
 */
export async function exchange<T>(
  first: WebRequest,
  rules: WebRules,
  wire: Wire,
  read: (reply: Response) => Promise<T>,
): Promise<T> {
  let request = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const answered = await exchangeOnce(request, rules, wire, read);
    if ("value" in answered) return answered.value;
    request = redirected(request, answered.location, rules);
  }
  throw new ToolError(
    "tool-failed",
    `${first.url.host} redirects more than ${maxRedirects} times.`,
  );
}

async function exchangeOnce<T>(
  request: WebRequest,
  rules: WebRules,
  wire: Wire,
  read: (reply: Response) => Promise<T>,
): Promise<{ readonly value: T } | { readonly location: string }> {
  const { url } = request;
  refuseClosed(url, rules);
  const addresses = await addressesOf(url, rules, wire);
  const { guardedDispatch } = await import("./guarded-dispatch.ts");
  const agent =
    addresses === undefined
      ? undefined
      : (await import("./pinned-agent.ts")).pinnedAgent(addresses);
  try {
    const reply = await send(request, guardedDispatch(agent), wire);
    const location = reply.headers.get("location");
    if (reply.status >= 400) throw await statusError(url, reply);
    if (reply.status < 300 || location === null) return { value: await read(reply) };
    await reply.body?.cancel();
    return { location };
  } catch (fault) {
    wire.signal.throwIfAborted();
    throw fault;
  } finally {
    await agent?.destroy();
  }
}

function refuseClosed(url: URL, { allow, own }: WebRules): void {
  if (allow === undefined || isSameHost(own, url) || isAllowed(url, allow)) return;
  throw new ToolError(
    "tool-failed",
    `${url.host} is not open to you; the hosts that are: ${allow.join(", ")}.`,
  );
}

async function addressesOf(
  url: URL,
  { own, isPrivateAllowed }: WebRules,
  { lookup = systemLookup, signal }: Wire,
): Promise<readonly HostAddress[] | undefined> {
  if (isSameHost(own, url)) return undefined;
  const found = await resolveHost(url, { isPrivateAllowed, lookup });
  signal.throwIfAborted();
  return found;
}

async function send(
  { url, method, headers, body }: WebRequest,
  dispatcher: unknown,
  { fetch, signal }: Wire,
): Promise<Response> {
  const init = { method, headers, signal, redirect: "manual" } as const;
  try {
    return await fetch(url, {
      ...init,
      ...(body === undefined ? {} : { body }),
      ...({ dispatcher } as object),
    });
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
    if (reason instanceof ToolError) throw reason;
    throw new ToolError("tool-failed", `${url.host} can't be reached: ${messageOf(reason)}`, {
      cause,
      retryable: true,
    });
  }
}

async function statusError(url: URL, reply: Response): Promise<ToolError> {
  const excerpt = await readExcerpt(reply, maxExcerpt);
  const words = excerpt === "" ? "without a text" : `with: ${excerpt}`;
  return new ToolError("tool-failed", `${url.host} answered with status ${reply.status} ${words}`, {
    details: { status: reply.status, ...waitOf(reply) },
    retryable: retryableStatuses.has(reply.status),
  });
}

/** How long the server asks to be left alone, where it says so in seconds. */
function waitOf(reply: Response): { readonly retryAfterMs?: number } {
  const seconds = reply.headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(seconds) ? { retryAfterMs: Number(seconds) * 1_000 } : {};
}

/** Where a redirect leads; leaving https, and another host that is not allowed, are refused. */
function redirected(from: WebRequest, location: string, { allow }: WebRules): WebRequest {
  const { url, method, headers } = from;
  const to = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  const where = to?.origin === "null" ? to.protocol : (to?.origin ?? location);
  const refusal = (why: string): ToolError =>
    new ToolError("tool-failed", `${url.host} redirects to ${where}, ${why}; it is not followed.`);
  if (method !== "GET") throw refusal(`and a ${method} is sent once`);
  if (to === undefined || !["http:", "https:"].includes(to.protocol))
    throw refusal("which is no web address");
  if (to.username !== "" || to.password !== "") throw refusal("with a user name");
  if (url.protocol === "https:" && to.protocol === "http:") throw refusal("leaving https");
  if (isSameHost(url, to)) return { url: to, method, headers };
  if (allow === undefined || !isAllowed(to, allow)) throw refusal("another host");
  return { url: to, method, headers: {} };
}

/** The same origin, or the same host by https at the usual port. */
function isSameHost(from: URL | undefined, to: URL): boolean {
  if (from === undefined) return false;
  const isUpgrade = to.protocol === "https:" && from.port === "" && to.port === "";
  return to.origin === from.origin || (isUpgrade && to.hostname === from.hostname);
}
