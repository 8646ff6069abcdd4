import { createHash } from "node:crypto";
import {
  type Clock,
  ProviderError,
  type ProviderPlace,
  type ProviderSetup,
  type Secrets,
} from "@loopwright/core/plugin";
import type { OpenAI } from "openai";
import { once } from "../shared/once.ts";
import { isLoopback } from "./describe-endpoint.ts";
import { refusePatterns } from "./model-pattern.ts";
import { createClient } from "./plain-client.ts";
import type { Profile } from "./profile-fields.ts";
import { profileOf } from "./profiles.ts";
import { SeenBodies } from "./seen-bodies.ts";
import { hasUser, shownUrl } from "./shown-url.ts";
import type { Place } from "./to-provider-error.ts";

/** One configured endpoint; `key` is "" where none is set. */
export interface Endpoint {
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly key: () => string;
  readonly stream: boolean;
  readonly clock: Clock;
  readonly client: () => Promise<OpenAI>;
  /** What came where a stream was asked for and none came. */
  readonly bodies: SeenBodies;
  readonly place: () => ProviderPlace;
}

/** What a spec says about an endpoint. */
export interface EndpointOptions extends ProviderSetup {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly stream?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an endpoint stands on. */
export interface EndpointServices {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly secrets: Secrets;
}

/** Makes an endpoint of what the spec says; nothing is opened. */
export function openEndpoint(given: EndpointOptions, services: EndpointServices): Endpoint {
  const profile = profileOf(given.profile, given.overrides);
  const baseUrl = given.baseUrl ?? profile.endpoint;
  const headers = given.headers ?? {};
  const key = (): string => given.apiKey ?? services.secrets.get(profile.keyName) ?? "";
  const { fetch: send } = services;
  const stream = given.stream ?? true;
  const bodies = new SeenBodies();
  let place: ProviderPlace | undefined;
  return {
    profile,
    baseUrl,
    key,
    stream,
    clock: services.clock,
    client: once(() =>
      createClient({
        key: key(),
        baseUrl,
        headers,
        fetch: stream ? bodies.watching(send) : send,
      }),
    ),
    bodies,
    place: () => (place ??= placeFor(shownUrl(baseUrl), key())),
  };
}

/** The account is told apart by a part of the key's hash, from which no key can be found. */
function placeFor(endpoint: string, key: string): ProviderPlace {
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 12);
  return { endpoint, account: key === "" ? endpoint : `${endpoint} ${hash}` };
}

/** Endpoints to which a call could go: nothing of them changes, but for a key that may come. */
const sound = new WeakSet<Endpoint>();

/** Refuses a call that can't be made, before anything is sent. */
export function refuseEndpoint(endpoint: Endpoint): void {
  if (sound.has(endpoint)) return;
  refuseAddress(endpoint);
  refusePatterns(endpoint.profile);
  refuseWithoutKey(endpoint);
  sound.add(endpoint);
}

/** Where a call goes, for what is told of its fault. */
export function placeOf(endpoint: Endpoint, model: string): Place {
  const { baseUrl, profile, clock } = endpoint;
  return { baseUrl, model, keyName: profile.keyName, key: endpoint.key(), now: clock.now() };
}

function refuseAddress({ baseUrl }: Endpoint): void {
  if (baseUrl === "")
    throw new ProviderError(
      "provider-rejected",
      "This profile has no address of its own: write `baseUrl` at the model, up to /v1.",
    );
  if (!URL.canParse(baseUrl))
    throw new ProviderError(
      "provider-rejected",
      "`baseUrl` is no URL: write it with http:// or https:// before the host, up to /v1.",
    );
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
function refuseWithoutKey({ profile, baseUrl, key }: Endpoint): void {
  if (!profile.needsKey || isLoopback(baseUrl) || key() !== "") return;
  throw new ProviderError(
    "provider-key-missing",
    `No key for ${shownUrl(baseUrl)}: the environment variable ${profile.keyName} is not set. ` +
      `Set it (in .env or the shell), or write \`apiKey: \${secret:NAME}\` at the model in the spec.`,
    { details: { variable: profile.keyName, baseUrl: shownUrl(baseUrl) } },
  );
}
