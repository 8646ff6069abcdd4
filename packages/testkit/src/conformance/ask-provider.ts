import type {
  Delta,
  Provider,
  ProviderDefinition,
  ProviderReply,
  ProviderRequest,
} from "@loopwright/core/plugin";
import { stubRequest } from "../stub-servers/stub-request.ts";
import { withDefaults } from "./json-schema.ts";
import { type ServiceValues, servicesFor } from "./services.ts";

/** One way to configure a provider and to ask it. */
export interface ProviderSetting {
  /** Joined by the provider's own id as `profile` and by the model `stub`. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly services?: () => ServiceValues;
  readonly request?: Partial<ProviderRequest>;
}

/** The options of a setting, defaults filled in. */
export function providerOptions(
  definition: ProviderDefinition,
  setting: ProviderSetting,
): Readonly<Record<string, unknown>> {
  const own = { profile: definition.id, model: "stub", ...setting.options };
  return withDefaults(definition.options, own);
}

/** Makes a provider as a setting says. */
export function openProvider(definition: ProviderDefinition, setting: ProviderSetting): Provider {
  const services = servicesFor(definition.inject, setting.services?.());
  return definition.create(providerOptions(definition, setting) as never, services as never);
}

/** Makes a provider and asks it once. */
export async function askProvider(
  definition: ProviderDefinition,
  setting: ProviderSetting,
  signal: AbortSignal = never(),
  onDelta?: (delta: Delta) => void,
): Promise<ProviderReply> {
  const call = onDelta === undefined ? { signal } : { signal, onDelta };
  return openProvider(definition, setting).generate(stubRequest(setting.request), call);
}

/** A signal that nobody aborts. */
export function never(): AbortSignal {
  return new AbortController().signal;
}

/** Lets what is on its way arrive. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
