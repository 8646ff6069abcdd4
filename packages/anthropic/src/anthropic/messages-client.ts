import type { Anthropic } from "@anthropic-ai/sdk";

/** What a client needs to know of its endpoint; `key` is "" where none is set. */
export interface MessagesClientSettings {
  readonly key: string;
  readonly baseUrl: string;
  /** Headers to send beside those of the protocol. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

/** Sends the body of a request and gives the message, or the stream of its events. */
export type SendMessage = (body: object, signal: AbortSignal) => Promise<unknown>;

// Longer than any limit of core, which times calls.
const LIBRARY_TIMEOUT_MS = 2 ** 31 - 1;

/** The version that requests are written for: later ones refuse a temperature for every model. */
const PROTOCOL_VERSION = "2023-06-01";

/**
 * Loads the library and makes a client of it that sends the headers of the protocol, the spec's own, and no others.
 *
 * The library would add facts about the machine and the headers of `ANTHROPIC_CUSTOM_HEADERS`, open spans, retry, and look
 * for keys in other variables and in files. Its `messages.create` prints warnings, so the path is named here.
 */
export async function openMessagesClient(settings: MessagesClientSettings): Promise<SendMessage> {
  const { Anthropic: Library } = await import("@anthropic-ai/sdk");
  class PlainClient extends Library {
    override async buildRequest(
      ...given: Parameters<Anthropic["buildRequest"]>
    ): ReturnType<Anthropic["buildRequest"]> {
      const built = await super.buildRequest(...given);
      return { ...built, req: { ...built.req, headers: headersOf(settings) } };
    }
  }
  const client = new PlainClient({
    // Without any the library looks for one elsewhere; this one is not sent.
    apiKey: "none",
    webhookKey: null,
    baseURL: settings.baseUrl,
    fetch: settings.fetch,
    logLevel: "off",
    maxRetries: 0,
    openTelemetry: false,
    timeout: LIBRARY_TIMEOUT_MS,
  });
  return async (body, signal) =>
    client.post("/v1/messages", { body, signal, stream: "stream" in body });
}

function headersOf({ key, headers }: MessagesClientSettings): Headers {
  return new Headers({
    accept: "application/json",
    "content-type": "application/json",
    "user-agent": "loopwright",
    "anthropic-version": PROTOCOL_VERSION,
    ...(key === "" ? {} : { "x-api-key": key }),
    ...Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  });
}
