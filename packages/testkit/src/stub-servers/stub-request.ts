import type {
  Clock,
  Provider,
  ProviderDefinition,
  ProviderRequest,
  Secrets,
} from "@loopwright/core/plugin";

/** What a provider under test may use; the platform's own unless told, and no secrets. */
export interface StubServices {
  readonly clock?: Clock;
  readonly fetch?: typeof fetch;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** Creates a provider as core does, under its own id and the model `stub` unless told. */
export function createProvider(
  definition: ProviderDefinition,
  options: Readonly<Record<string, unknown>> = {},
  services: StubServices = {},
): Provider {
  const secrets: Secrets = { get: (name) => services.secrets?.[name] };
  const given = { profile: definition.id, model: "stub", ...options };
  const { clock = realClock, fetch: send = fetch } = services;
  return definition.create(given as never, { clock, fetch: send, secrets } as never);
}

/** A request as core sends it: one user message "hello", no tools, no schema, unless told. */
export function stubRequest(changes: Partial<ProviderRequest> = {}): ProviderRequest {
  return {
    model: "stub",
    messages: [{ role: "user", text: "hello" }],
    tools: [],
    sampling: {},
    key: "direct/generate:0",
    runId: "run-1",
    stage: "direct",
    voice: "answer",
    inputs: {},
    ...changes,
  };
}

const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
