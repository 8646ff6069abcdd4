import type { Static, TObject } from "@sinclair/typebox";
import type { JsonObject, JsonSchema } from "./json.ts";
import type { AssistantMessage, FinishReason, Message, Usage } from "./message.ts";
import type { Inject, Services } from "./token.ts";

/** A tool as a model sees it. */
export interface ToolDescription {
  /** The name on the wire: letters, digits, `_` and `-`, 64 at most. */
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
}

/** How to sample; a missing field leaves the endpoint's default. */
export interface Sampling {
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high";
  readonly stop?: readonly string[];
}

/** One request to a model; `key` is the step key, unique in a run and equal on a replay. */
export interface ProviderRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  /** The schema that the text of the reply must fit. */
  readonly output?: { readonly name: string; readonly schema: JsonSchema };
  readonly sampling: Sampling;
  readonly key: string;
  readonly runId: string;
  /** The hash under which the request is recorded; `replay` verifies it. */
  readonly requestHash?: string;
  /** The stage that asks, as in the spec; for scripts and logs, never sent. */
  readonly stage: string;
  readonly voice: string;
  /** The run's typed inputs; for scripts, never sent. */
  readonly inputs: JsonObject;
}

/** A model's reply. */
export interface ProviderReply {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly finishReason: FinishReason;
  /** The endpoint's own words when it refused. */
  readonly refusal?: string;
}

/** A piece of a reply on its way. */
export interface Delta {
  readonly kind: "text" | "reasoning";
  readonly text: string;
}

/** What an endpoint can do with a model. */
export interface Capabilities {
  /** False where the model can't call tools: core then refuses a request that offers some, before it is made. */
  readonly tools: boolean;
  /**
   * How a schema is enforced: by the endpoint, as JSON of any shape, or by words alone. The provider itself acts on it;
   * core says the schema in words and looks at every reply, whatever stands here.
   */
  readonly structured: "json-schema" | "json-mode" | "prompt";
  /** Dollars per million tokens, where no contract is needed to know it (0 for local models). */
  readonly price?: Price;
}

/** Dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/**
 * Translates wire formats and nothing else.
 *
 * Contract: `generate` resolves to one reply or rejects with a ProviderError (anything else is wrapped); it neither
 * retries nor emits; it stops when `signal` aborts; `onDelta` is called in order, before `generate` resolves, and only
 * where the endpoint streams.
 */
export interface Provider {
  generate(
    request: ProviderRequest,
    call: { readonly signal: AbortSignal; readonly onDelta?: (delta: Delta) => void },
  ): Promise<ProviderReply>;
  capabilities(model: string): Capabilities;
}

/** What is wrong in a file that an option names. */
export interface FileFault {
  /** Absolute. */
  readonly file: string;
  /** From 1; left out, the option that names the file is shown. */
  readonly line?: number;
  readonly column?: number;
  /** A sentence without its end: `replies[2].times must be a count`. */
  readonly message: string;
  readonly repair?: string;
}

/** A provider plugin. */
export interface ProviderDefinition {
  readonly kind: "provider";
  readonly id: string;
  readonly description: string;
  readonly options: TObject;
  /** Ids by which a spec names it whose models cost nothing: local endpoints, scripts, recordings. */
  readonly free?: readonly string[];
  /** True for a model that reasons by itself before it answers. */
  readonly thinks?: (profile: string, model: string) => boolean;
  /** Where a profile's models are asked, and the variables that hold its keys; for people, never for a call. */
  readonly describe?: (
    profile: string,
    options: JsonObject,
  ) => { readonly endpoint?: string; readonly keys: readonly string[] };
  /**
   * Looks into the files that the options name, so that a broken one is told before a run.
   *
   * Contract: synchronous, without secrets and network; it is called with options that are sound, at every check, in an
   * editor at every key press. What it finds is an error of the spec.
   */
  readonly inspect?: (options: never) => readonly FileFault[];
  readonly inject: Inject;
  readonly create: (options: never, services: never) => Provider;
}

/** Where a provider's options come from: the spec's own, and the profile by which the spec named it. */
export interface ProviderSetup {
  /** The id used in the spec: the provider's own or one of its profiles. */
  readonly profile: string;
  /** The part of `provider/name` after the slash; `scripted` and `replay` take it as a label. */
  readonly model: string;
}

/**
 * Declares a provider.
 *
 * Contract: `create` is synchronous and opens nothing; it is called once per program for models of the same name and
 * options, which share the instance, so that two roles share a connection, or a script. A missing key is told by
 * `generate`, not by `create`, so that a check needs no secrets.
 */
export function defineProvider<
  O extends TObject,
  const I extends Inject = Record<never, never>,
>(definition: {
  readonly id: string;
  readonly description: string;
  readonly options: O;
  readonly free?: readonly string[];
  readonly thinks?: ProviderDefinition["thinks"];
  readonly describe?: ProviderDefinition["describe"];
  readonly inspect?: (options: Static<O>) => readonly FileFault[];
  readonly inject?: I;
  readonly create: (options: Static<O> & ProviderSetup, services: Services<I>) => Provider;
}): ProviderDefinition {
  return { kind: "provider", inject: {}, ...definition } as ProviderDefinition;
}

/** No tokens. */
export const NO_USAGE: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
