import {
  AbortError,
  Clock,
  defineProvider,
  duration,
  Fetch,
  ProviderError,
  type Provider,
  type ProviderDefinition,
  type ProviderReply,
  Secrets,
  secret,
  Type,
} from "@loopwright/core/plugin";
import { fromReply, ReplyParts } from "./openai/from-reply.ts";
import { createClient } from "./openai/plain-client.ts";
import { freeProfiles, type Profile, profileOf } from "./openai/profiles.ts";
import { hasUser, shownUrl } from "./openai/shown-url.ts";
import { thinks } from "./openai/thinks.ts";
import { type Place, toProviderError, toTimeoutError } from "./openai/to-provider-error.ts";
import { toRequest } from "./openai/to-request.ts";
import { describeEndpoint, isLoopback } from "./openai/describe-endpoint.ts";
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

/** Talks to OpenAI and to any endpoint that speaks its chat protocol; the other ids are profiles of such endpoints. */
export const openai: ProviderDefinition = defineProvider({
  id: "openai",
  free: freeProfiles(),
  description:
    "OpenAI, and every endpoint that speaks its chat protocol: deepseek, kimi, qwen, ollama, vllm.",
  options,
  thinks,
  describe: describeEndpoint,
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
    const { baseUrl, headers } = endpoint;
    const client = once(() =>
      createClient({ key: endpoint.key(), baseUrl, headers, fetch: services.fetch }),
    );
    return {
      generate: async (request, call) => {
        if (call.signal.aborted) throw reasonOf(call.signal);
        refuseUser(endpoint);
        requireKey(endpoint);
        const body = toRequest(request, profile, endpoint.stream);
        const idPrefix = `call_${request.messages.length}_`;
        const watch = openWatch(call.signal, endpoint.clock, endpoint.timeoutMs);
        try {
          const { signal } = watch;
          const reply: unknown = await (await client()).chat.completions.create(body as never, {
            signal,
          });
          if (!endpoint.stream) return fromReply(reply, idPrefix);
          return await readStream(reply as Chunks, watch, call.onDelta, idPrefix);
        } catch (thrown) {
          throw faultOf(thrown, endpoint, request.model, { signal: call.signal, watch });
        } finally {
          watch.close();
        }
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
type Chunks = AsyncIterable<WireReply>;

async function readStream(
  chunks: Chunks,
  watch: Watch,
  onDelta: OnDelta,
  idPrefix: string,
): Promise<ProviderReply> {
  const parts = new ReplyParts();
  for await (const chunk of chunks) {
    watch.touch();
    parts.add(chunk, onDelta);
  }
  // The library ends an aborted stream as if it were whole.
  if (watch.aborted) throw new AbortError("The stream was aborted.");
  return parts.finish(idPrefix);
}

/** What a failed call is told as: its caller's abort, silence, or what the library threw. */
function faultOf(
  thrown: unknown,
  endpoint: Endpoint,
  model: string,
  { signal, watch }: Ending,
): Error {
  if (signal.aborted) return reasonOf(signal);
  const place = placeOf(endpoint, model);
  return watch.isTimedOut
    ? toTimeoutError(place, endpoint.timeoutMs)
    : toProviderError(thrown, place);
}

interface Ending {
  readonly signal: AbortSignal;
  readonly watch: Watch;
}

function refuseUser({ baseUrl }: Endpoint): void {
  if (!hasUser(baseUrl)) return;
  const shown = shownUrl(baseUrl);
  throw new ProviderError(
    "provider-rejected",
    `A URL with a user or password can't be used: write \`baseUrl: ${shown}\`, and what lets you in ` +
      "as `apiKey` or in `headers`, as `${secret:NAME}`.",
    { details: { baseUrl: shown } },
  );
}

/** A server on this machine may do without a key. */
function requireKey({ profile, baseUrl, key, isLoopback: isLocal }: Endpoint): void {
  if (!profile.needsKey || isLocal || key() !== "") return;
  throw new ProviderError(
    "provider-key-missing",
    `No key for ${shownUrl(baseUrl)}: the environment variable ${profile.keyName} is not set. ` +
      `Set it (in .env or the shell), or write \`apiKey: \${secret:NAME}\` at the model in the spec.`,
    { details: { variable: profile.keyName, baseUrl: shownUrl(baseUrl) } },
  );
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
