import {
  AbortError,
  Clock,
  defineProvider,
  duration,
  Fetch,
  type JsonObject,
  ProviderError,
  type Provider,
  type ProviderDefinition,
  type ProviderReply,
  Secrets,
  secret,
  Type,
} from "@loopwright/core/plugin";
import type { OpenAI } from "openai";
import { fromReply, ReplyParts } from "./openai/from-reply.ts";
import { plainFetch } from "./openai/plain-fetch.ts";
import { freeProfiles, type Profile, profileOf } from "./openai/profiles.ts";
import { type Place, toProviderError, toTimeoutError } from "./openai/to-provider-error.ts";
import { toRequest } from "./openai/to-request.ts";
import { openWatch, type Watch } from "./openai/watch.ts";
import type { WireReply } from "./openai/wire.ts";
import { once } from "./shared/once.ts";

const options = Type.Object({
  apiKey: Type.Optional(
    secret({ description: "The key; the profile's environment variable unless told." }),
  ),
  baseUrl: Type.Optional(
    Type.String({ description: "The endpoint up to /v1; the profile's own unless told." }),
  ),
  stream: Type.Boolean({ description: "Whether replies come in pieces.", default: true }),
  timeout: duration({
    description: "The longest wait for a reply, or for its next piece.",
    default: 120_000,
  }),
  headers: Type.Optional(
    Type.Record(Type.String(), secret(), {
      description: "Headers to send with each request.",
    }),
  ),
});

// Longer than any `timeout`: the watch decides.
const LIBRARY_TIMEOUT_MS = 2 ** 31 - 1;

/** Talks to OpenAI and to any endpoint that speaks its chat protocol; the other ids are profiles of such endpoints. */
export const openai: ProviderDefinition = defineProvider({
  id: "openai",
  free: freeProfiles(),
  description:
    "OpenAI, and every endpoint that speaks its chat protocol: deepseek, kimi, qwen, ollama, vllm.",
  options,
  inject: { clock: Clock, fetch: Fetch, secrets: Secrets },
  create: (given, services): Provider => {
    const profile = profileOf(given.profile);
    const endpoint: Endpoint = {
      profile,
      baseUrl: given.baseUrl ?? profile.endpoint,
      key: () => given.apiKey ?? services.secrets.get(profile.keyName) ?? "",
      headers: given.headers ?? {},
      stream: given.stream ?? true,
      timeoutMs: given.timeout ?? 120_000,
      clock: services.clock,
      isLoopback: isLoopback(given.baseUrl ?? profile.endpoint),
    };
    const client = once(() => createClient(endpoint, services.fetch));
    return {
      generate: (request, call) => {
        const body = toRequest(request, profile, endpoint.stream);
        const idPrefix = `call_${request.messages.length}_`;
        return guard(endpoint, request.model, call.signal, async (watch) => {
          const completions = (await client()).chat.completions;
          if (endpoint.stream) return readStream(completions, body, watch, call.onDelta, idPrefix);
          return fromReply(
            await completions.create(body as never, { signal: watch.signal }),
            idPrefix,
          );
        });
      },
      capabilities: () => ({
        tools: true,
        structured: profile.structured,
        ...(profile.free ? { price: { input: 0, output: 0 } } : {}),
      }),
    };
  },
});

/** One configured endpoint; `key` is "" where none is set. */
interface Endpoint {
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly key: () => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: boolean;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly isLoopback: boolean;
}

type OnDelta = Parameters<Provider["generate"]>[1]["onDelta"];
type Completions = OpenAI["chat"]["completions"];

async function createClient(endpoint: Endpoint, send: typeof fetch): Promise<OpenAI> {
  const { OpenAI: Client } = await import("openai");
  const key = endpoint.key();
  return new Client({
    apiKey: key === "" ? "none" : key,
    adminAPIKey: null,
    organization: null,
    project: null,
    baseURL: endpoint.baseUrl,
    fetch: plainFetch(send, Object.keys(endpoint.headers)),
    defaultHeaders: { ...(key === "" ? { Authorization: null } : {}), ...endpoint.headers },
    logLevel: "off",
    maxRetries: 0,
    timeout: LIBRARY_TIMEOUT_MS,
  });
}

async function readStream(
  completions: Completions,
  body: JsonObject,
  watch: Watch,
  onDelta: OnDelta,
  idPrefix: string,
): Promise<ProviderReply> {
  const stream = (await completions.create(body as never, { signal: watch.signal })) as unknown;
  const parts = new ReplyParts();
  for await (const chunk of stream as AsyncIterable<WireReply>) {
    watch.touch();
    parts.add(chunk, onDelta);
  }
  // The library ends an aborted stream as if it were whole.
  watch.signal.throwIfAborted();
  return parts.finish(idPrefix);
}

async function guard(
  endpoint: Endpoint,
  model: string,
  signal: AbortSignal,
  ask: (watch: Watch) => Promise<ProviderReply>,
): Promise<ProviderReply> {
  if (signal.aborted) throw reasonOf(signal);
  requireKey(endpoint);
  const watch = openWatch(signal, endpoint.clock, endpoint.timeoutMs);
  try {
    return await ask(watch);
  } catch (thrown) {
    if (signal.aborted) throw reasonOf(signal);
    const place = placeOf(endpoint, model);
    throw watch.isTimedOut()
      ? toTimeoutError(place, endpoint.timeoutMs)
      : toProviderError(thrown, place);
  } finally {
    watch.close();
  }
}

/** A server on this machine may do without a key. */
function requireKey({ profile, baseUrl, key, isLoopback: isLocal }: Endpoint): void {
  if (!profile.needsKey || isLocal || key() !== "") return;
  throw new ProviderError(
    "provider-key-missing",
    `No key for ${baseUrl}: the environment variable ${profile.keyName} is not set. ` +
      `Set it (in .env or the shell), or write \`apiKey: \${secret:NAME}\` at the model in the spec.`,
    { details: { variable: profile.keyName, baseUrl } },
  );
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
}

function placeOf(endpoint: Endpoint, model: string): Place {
  const { baseUrl, profile, clock } = endpoint;
  return { baseUrl, model, keyName: profile.keyName, key: endpoint.key(), now: clock.now() };
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error
    ? signal.reason
    : new AbortError("The model call was aborted.");
}
