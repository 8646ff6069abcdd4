import {
  AbortError,
  type Capabilities,
  Clock,
  defineProvider,
  Fetch,
  type Json,
  type JsonObject,
  onAborted,
  type Provider,
  type ProviderCall,
  type ProviderDefinition,
  ProviderError,
  type ProviderReply,
  type ProviderRequest,
  Secrets,
  secret,
  Type,
} from "@loopwright/core/plugin";
import { accountOf } from "./anthropic/account-name.ts";
import { traitsOf } from "./anthropic/claude-models.ts";
import { holdsPassword, isThisMachine, plainAddress } from "./anthropic/endpoint-address.ts";
import { fromMessage } from "./anthropic/from-message.ts";
import type { WireEvent } from "./anthropic/message-wire.ts";
import { openMessagesClient, type SendMessage } from "./anthropic/messages-client.ts";
import { readEvents } from "./anthropic/read-events.ts";
import { type RequestSettings, toMessagesRequest } from "./anthropic/to-messages-request.ts";
import { toMessageFault } from "./anthropic/to-message-fault.ts";

const ENDPOINT = "https://api.anthropic.com";
const KEY = "ANTHROPIC_API_KEY";

const options = Type.Object({
  apiKey: Type.Optional(
    secret({ description: `The key; the environment variable ${KEY} unless told.` }),
  ),
  baseUrl: Type.String({ description: "The endpoint, without /v1.", default: ENDPOINT }),
  stream: Type.Boolean({ description: "Whether replies come in pieces.", default: true }),
  headers: Type.Optional(
    Type.Record(Type.String(), secret(), { description: "Headers to send with each request." }),
  ),
  cache: Type.Union([Type.Literal("auto"), Type.Literal("none")], {
    description:
      "Whether the system text, the tools and the conversation so far are cached for the next request.",
    default: "auto",
  }),
  thinkingTokens: Type.Optional(
    Type.Integer({
      description: "How many tokens the model may think with; `effort` decides unless told.",
      minimum: 1_024,
    }),
  ),
});

/** Talks to Anthropic's models, and to other endpoints that speak their messages protocol. */
export const anthropic: ProviderDefinition = defineProvider({
  id: "anthropic",
  description: "Anthropic, and every endpoint that speaks its messages protocol.",
  options,
  thinks: (_profile, model) => traitsOf(model).thinksUnasked,
  describe: (_profile, given, asked) => ({
    ...describeOptions(given),
    ...(asked === undefined ? {} : formsOf(asked.model)),
  }),
  inject: { clock: Clock, fetch: Fetch, secrets: Secrets },
  create: (given, { clock, fetch: send, secrets }): Provider => {
    const { thinkingTokens, headers = {} } = given;
    const baseUrl = given.baseUrl ?? ENDPOINT;
    const settings: RequestSettings = {
      stream: given.stream ?? true,
      cache: given.cache ?? "auto",
      ...(thinkingTokens === undefined ? {} : { thinkingTokens }),
    };
    const key = (): string => given.apiKey ?? secrets.get(KEY) ?? "";
    let client: Promise<SendMessage> | undefined;
    const endpoint: Endpoint = {
      baseUrl,
      settings,
      secrets: () => [key(), ...Object.values(headers)],
      open: () => (client ??= openMessagesClient({ key: key(), baseUrl, headers, fetch: send })),
      clock,
    };
    return {
      generate: async (request, call) => {
        if (call.signal.aborted) throw reasonOf(call.signal);
        refusePassword(baseUrl);
        if (!isLetIn(headers)) requireKey(baseUrl, key());
        return generate(endpoint, request, call);
      },
      capabilities: (model) => ({
        tools: true,
        ...formsOf(model),
        streams: settings.stream,
      }),
      place: () => ({
        endpoint: plainAddress(baseUrl),
        account: accountOf(baseUrl, endpoint.secrets()),
      }),
    };
  },
});

/** One configured endpoint. */
interface Endpoint {
  readonly baseUrl: string;
  readonly settings: RequestSettings;
  readonly secrets: () => readonly string[];
  readonly open: () => Promise<SendMessage>;
  readonly clock: Clock;
}

async function generate(
  endpoint: Endpoint,
  request: ProviderRequest,
  call: ProviderCall,
): Promise<ProviderReply> {
  // The library listens to the signal for each call; a run's own signal lives much longer.
  const abort = new AbortController();
  const end = (): void => abort.abort();
  const leave = onAborted(call.signal, end);
  try {
    const body = toMessagesRequest(request, endpoint.settings);
    const reply = await (await endpoint.open())(body, abort.signal);
    return endpoint.settings.stream
      ? await readEvents(reply as AsyncIterable<WireEvent>, { call, clock: endpoint.clock, end })
      : fromMessage(reply);
  } catch (thrown) {
    if (call.signal.aborted) throw reasonOf(call.signal);
    throw toMessageFault(thrown, {
      baseUrl: endpoint.baseUrl,
      model: request.model,
      secrets: endpoint.secrets(),
      asksSchema: request.output?.layer === "json-schema",
      now: endpoint.clock.now(),
    });
  } finally {
    leave();
  }
}

/** How a model is asked for a schema. */
function formsOf(model: string): Pick<Capabilities, "structured" | "dialect"> {
  return {
    structured: traitsOf(model).takesSchema ? "json-schema" : "prompt",
    dialect: "anthropic",
  };
}

function describeOptions({ baseUrl, apiKey, headers }: JsonObject): {
  readonly endpoint: string;
  readonly keys: readonly string[];
} {
  const endpoint = typeof baseUrl === "string" ? baseUrl : ENDPOINT;
  const isKnown = apiKey !== undefined || isLetIn(headers ?? {});
  const own = isKnown || isThisMachine(endpoint) ? [] : [KEY];
  const said = JSON.stringify([apiKey ?? "", headers ?? {}]);
  const named = [...said.matchAll(/\$\{secret:([^}:]+)/g)].map((match) => match[1] ?? "");
  return { endpoint, keys: [...new Set([...own, ...named])] };
}

/** Whether the spec's own headers hold what lets one in. */
function isLetIn(headers: Json): boolean {
  return Object.keys(headers ?? {}).some((name) => /^(?:authorization|x-api-key)$/i.test(name));
}

function refusePassword(baseUrl: string): void {
  if (!holdsPassword(baseUrl)) return;
  const shown = plainAddress(baseUrl);
  throw new ProviderError(
    "provider-rejected",
    `A URL with a user or password can't be used: write \`baseUrl: ${shown}\`, and what lets you in ` +
      "as `apiKey` or in `headers`, as `${secret:NAME}`.",
    { details: { baseUrl: shown } },
  );
}

/** A server on this machine may do without a key. */
function requireKey(baseUrl: string, key: string): void {
  if (key !== "" || isThisMachine(baseUrl)) return;
  throw new ProviderError(
    "provider-key-missing",
    `No key for ${plainAddress(baseUrl)}: the environment variable ${KEY} is not set. ` +
      `Set it (in .env or the shell), or write \`apiKey: \${secret:NAME}\` at the model in the spec.`,
    { details: { variable: KEY, baseUrl: plainAddress(baseUrl) } },
  );
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new AbortError("The model call was aborted.");
}
