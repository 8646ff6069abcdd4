import type { OpenAI } from "openai";

/** What a client needs to know of its endpoint; `key` is "" where none is set. */
export interface ClientSettings {
  readonly key: string;
  readonly baseUrl: string;
  /** Headers to send beside those of the protocol. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

// Longer than any call: its caller limits its time.
const LIBRARY_TIMEOUT_MS = 2 ** 31 - 1;

type BuildArguments = Parameters<OpenAI["buildRequest"]>;
type BuiltRequest = Awaited<ReturnType<OpenAI["buildRequest"]>>;

type StatusError = ReturnType<OpenAI["makeStatusError"]>;
type StatusArguments = Parameters<OpenAI["makeStatusError"]>;

/**
 * Makes a client of the library that sends only the headers of the protocol and the spec's own.
 *
 * The library adds facts about the machine and the headers of `OPENAI_CUSTOM_HEADERS`, to any endpoint. It builds the first
 * request to a path; the others differ from that one in their bodies alone.
 */
export async function createClient({
  key,
  baseUrl,
  headers,
  fetch: send,
}: ClientSettings): Promise<OpenAI> {
  const { OpenAI: Library } = await import("openai");
  class PlainClient extends Library {
    readonly #first = new Map<string, BuiltRequest>();

    override async buildRequest(...given: BuildArguments): Promise<BuiltRequest> {
      const [{ path, body, signal }] = given;
      const first =
        this.#first.get(path) ??
        withPlainHeaders(await super.buildRequest(...given), Object.keys(headers));
      this.#first.set(path, first);
      const { req, url, timeout } = first;
      return {
        url,
        timeout,
        req: { ...req, signal, body: JSON.stringify(body) } as BuiltRequest["req"],
      };
    }

    protected override makeStatusError(...[status, body, ...rest]: StatusArguments): StatusError {
      return super.makeStatusError(status, withError(body), ...rest);
    }
  }
  return new PlainClient({
    apiKey: key === "" ? "none" : key,
    adminAPIKey: null,
    organization: null,
    project: null,
    baseURL: baseUrl,
    fetch: send,
    defaultHeaders: { ...(key === "" ? { Authorization: null } : {}), ...headers },
    logLevel: "off",
    maxRetries: 0,
    timeout: LIBRARY_TIMEOUT_MS,
  });
}

const PROTOCOL = ["accept", "authorization", "content-type", "user-agent"];

function withPlainHeaders(built: BuiltRequest, own: readonly string[]): BuiltRequest {
  const allowed = new Set([...PROTOCOL, ...own.map((name) => name.toLowerCase())]);
  const headers = new Headers([...built.req.headers].filter(([name]) => allowed.has(name)));
  const { body: _, signal: __, ...req } = built.req;
  return { ...built, req: { ...req, headers } };
}

/** The body of a refusal as the library reads it: some vendors put it into a list, or leave the `error` around it out. */
function withError(body: unknown): object {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof first !== "object" || first === null) return { error: first };
  return "error" in first ? first : { error: first };
}
