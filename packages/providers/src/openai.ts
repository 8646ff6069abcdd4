import {
  type Capabilities,
  Clock,
  type ConstraintLayer,
  defineProvider,
  Fetch,
  type Provider,
  type ProviderCall,
  type ProviderDefinition,
  type ProviderReply,
  type ProviderRequest,
  Secrets,
  secret,
  Type,
} from "@loopwright/core/plugin";
import { describeEndpoint } from "./openai/describe-endpoint.ts";
import { embedTexts } from "./openai/embeddings.ts";
import { endpointProblems } from "./openai/endpoint-problems.ts";
import { type Endpoint, openEndpoint, placeOf, refuseEndpoint } from "./openai/endpoint.ts";
import { formsOf } from "./openai/forms-of.ts";
import { fromReply } from "./openai/from-reply.ts";
import type { Profile } from "./openai/profile-fields.ts";
import { freeProfiles, profileFields } from "./openai/profiles.ts";
import { readStream, reasonOf } from "./openai/read-stream.ts";
import { isThinkingModel, thinks } from "./openai/thinking.ts";
import { toProviderError } from "./openai/to-provider-error.ts";
import { layerOf, toRequest } from "./openai/to-request.ts";
import { refuseTools } from "./openai/to-tools.ts";

const options = Type.Object({
  apiKey: Type.Optional(
    secret({ description: "The key; the profile's environment variable unless told." }),
  ),
  baseUrl: Type.Optional(
    Type.String({ description: "The endpoint up to /v1; the profile's own unless told." }),
  ),
  stream: Type.Boolean({ description: "Whether replies come in pieces.", default: true }),
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
    "OpenAI, and every endpoint that speaks its chat protocol: each other id is a profile of one, `custom` is any with a `baseUrl`.",
  options,
  profileFields,
  thinks,
  describe: describeEndpoint,
  validate: endpointProblems,
  inject: { clock: Clock, fetch: Fetch, secrets: Secrets },
  create: (given, services): Provider => {
    const endpoint = openEndpoint(given, services);
    const { profile, stream } = endpoint;
    const { embeddingBatch } = profile;
    return {
      generate: (request, call) => {
        const asked = { model: request.model, layer: layerOf(request, profile, stream) };
        return ask(endpoint, call.signal, asked, () => generate(endpoint, request, call));
      },
      capabilities: (model) => capabilitiesOf(profile, model, stream),
      place: endpoint.place,
      ...(embeddingBatch === undefined
        ? {}
        : {
            embed: (request, { signal }) =>
              ask(endpoint, signal, request, async () =>
                embedTexts(await endpoint.client(), request, embeddingBatch, signal),
              ),
          }),
    };
  },
});

/** Makes one call, of whatever kind: refused where it can't be made, its fault told in our words. */
async function ask<T>(
  endpoint: Endpoint,
  signal: AbortSignal,
  asked: { readonly model: string; readonly layer?: ConstraintLayer | undefined },
  call: () => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw reasonOf(signal);
  refuseEndpoint(endpoint);
  try {
    return await call();
  } catch (thrown) {
    if (signal.aborted) throw reasonOf(signal);
    throw toProviderError(thrown, {
      ...placeOf(endpoint, asked.model),
      layer: asked.layer,
    });
  }
}

async function generate(
  endpoint: Endpoint,
  request: ProviderRequest,
  call: ProviderCall,
): Promise<ProviderReply> {
  const { profile, stream, clock, bodies } = endpoint;
  const task = { request, profile, stream };
  refuseTools(request.tools, profile);
  const body = toRequest(request, profile, stream);
  const client = await endpoint.client();
  const { signal } = call;
  const sent = client.chat.completions.create(body as never, { signal });
  if (!stream) return fromReply(await sent, task);
  const { data, response } = await sent.withResponse();
  const chunks: unknown = data;
  return readStream(chunks as AsyncIterable<unknown>, task, call, clock, () =>
    bodies.headOf(response),
  );
}

function capabilitiesOf(profile: Profile, model: string, streams: boolean): Capabilities {
  const { jsonTokens, thinkingTokens } = profile;
  const extra = isThinkingModel(profile, model) ? (thinkingTokens ?? 0) : 0;
  return {
    tools: true,
    ...formsOf(profile, model),
    ...(jsonTokens === undefined ? {} : { jsonTokens: jsonTokens + extra }),
    streams,
    ...(profile.free ? { price: { input: 0, output: 0 } } : {}),
  };
}
