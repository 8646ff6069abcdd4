import type { OpenAI } from "openai";

/** What a client needs to know of its endpoint; `key` is "" where none is set. */
export interface ClientSettings {
  readonly key: string;
  readonly baseUrl: string;
  /** Headers to send beside those of the protocol. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

// Longer than any `timeout`: the watch decides.
const LIBRARY_TIMEOUT_MS = 2 ** 31 - 1;

type BuildArguments = Parameters<OpenAI["buildRequest"]>;
type BuiltRequest = Awaited<ReturnType<OpenAI["buildRequest"]>>;

/**
 * Makes a client of the library that sends only the headers of the protocol and the spec's own.
 *
 * The library adds facts about the machine and the headers of `OPENAI_CUSTOM_HEADERS`, to any endpoint. It builds the first
 * request; the others differ from that one in their bodies alone.
 */
export async function createClient({
  key,
  baseUrl,
  headers,
  fetch: send,
}: ClientSettings): Promise<OpenAI> {
  const { OpenAI: Library } = await import("openai");
  class PlainClient extends Library {
    #first: BuiltRequest | undefined;

    override async buildRequest(...given: BuildArguments): Promise<BuiltRequest> {
      const [{ body, signal }] = given;
      this.#first ??= withPlainHeaders(await super.buildRequest(...given), Object.keys(headers));
      const { req, url, timeout } = this.#first;
      return {
        url,
        timeout,
        req: { ...req, signal, body: JSON.stringify(body) } as BuiltRequest["req"],
      };
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
