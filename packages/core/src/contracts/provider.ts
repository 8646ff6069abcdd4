import type { Static, TObject } from "@sinclair/typebox";
import type { JsonObject, JsonSchema } from "./json.ts";
import type { AssistantMessage, FinishReason, Message, Usage } from "./message.ts";
import type { OptionsProblem } from "./options-problem.ts";
import type { Dialect } from "./schema-dialect.ts";
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

/** How the form of a reply is seen to: by the endpoint against the schema, by the endpoint as JSON of any shape, or by words alone. */
export type ConstraintLayer = "json-schema" | "json-mode" | "prompt";

/** One request to a model; `key` is the step key, unique in a run and equal on a replay. */
export interface ProviderRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  /**
   * The schema that the text of the reply must fit, in the dialect of `Capabilities.dialect`, and the layer to ask for it on.
   * The words for it, with an example, stand in the system message on every layer.
   */
  readonly output?: {
    readonly name: string;
    readonly schema: JsonSchema;
    readonly layer: ConstraintLayer;
  };
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
  /** The dialect that the reply was asked for in, where that is another than the request says: for a recording. */
  readonly dialect?: Dialect;
  /** True where `usage` was estimated because the endpoint told none: for a recording. */
  readonly isUsageEstimated?: boolean;
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
   * The highest layer on which the endpoint takes a schema. Core begins there, says the schema in words on every layer and
   * looks at every reply; it goes a layer down only where the endpoint says that it lacks the one above.
   */
  readonly structured: ConstraintLayer;
  /** The part of JSON Schema that the endpoint takes on the layer `json-schema`; all of it where left out. */
  readonly dialect?: Dialect;
  /** True where a schema can't be asked for in a request that offers tools. */
  readonly isSchemaAloneOnly?: boolean;
  /** The `maxTokens` that JSON needs on this endpoint where the spec says none; thinking is counted in. */
  readonly jsonTokens?: number;
  /** True where a reply comes in pieces and the provider calls `onActivity`; without it only the time for the whole reply is limited. */
  readonly streams?: boolean;
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

/** What a call gets beside the request. */
export interface ProviderCall {
  readonly signal: AbortSignal;
  readonly onDelta?: (delta: Delta) => void;
  /** To be called whenever something of the reply has come, be it a part of a tool call; keep-alives do not count. */
  readonly onActivity?: () => void;
}

/** Where calls go, for what is shared by all that go there. Both are plain names: never a key. */
export interface ProviderPlace {
  /** The endpoint: its failures and what it can do are kept by endpoint and model. */
  readonly endpoint: string;
  /** Whose requests are counted together against a vendor's rates: the endpoint with a hash of the key. */
  readonly account: string;
}

/** Texts to turn into vectors. */
export interface EmbedRequest {
  readonly model: string;
  /** At least one, none empty. */
  readonly texts: readonly string[];
  /** The length of each vector, where the model lets it be chosen. */
  readonly dimensions?: number;
}

/** One vector for each text, in their order. */
export interface EmbedReply {
  readonly vectors: readonly (readonly number[])[];
  readonly usage: Usage;
}

/**
 * Translates wire formats and nothing else.
 *
 * Contract: `generate` resolves to one reply or rejects with a ProviderError (anything else is wrapped, and not tried
 * again); it neither retries, nor limits its own time, nor emits; it stops when `signal` aborts; `onDelta` is called in
 * order, before `generate` resolves, and only where the endpoint streams. Of a fault core reads `retryable` and these
 * `details`: `retryAfterMs` (how long the endpoint asks to wait), `lacks` (the ConstraintLayer that this endpoint or model
 * can't do, where the refusal says so), `usage` (what the endpoint counted although it failed), `serverMessage` (the
 * endpoint's own words, without advice).
 */
export interface Provider {
  generate(request: ProviderRequest, call: ProviderCall): Promise<ProviderReply>;
  capabilities(model: string): Capabilities;
  /** Left out, the provider's instances of one profile are one place. */
  place?(): ProviderPlace;
  /** Under the same contract as `generate`; left out where the endpoint has no embeddings. */
  embed?(request: EmbedRequest, call: { readonly signal: AbortSignal }): Promise<EmbedReply>;
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

/** What a provider tells of a model before anything is made of it, for people: never for a call. */
export interface ModelDescription
  extends Partial<Pick<Capabilities, "structured" | "dialect" | "isSchemaAloneOnly">> {
  /** Where it is asked. */
  readonly endpoint?: string;
  /** The variables that hold its keys. */
  readonly keys: readonly string[];
}

/** A model as a spec sets it up. */
export interface DescribedModel {
  /** The part of `provider/name` after the slash. */
  readonly model: string;
  readonly sampling: Sampling;
  /** The fields that the spec lays over the profile. */
  readonly overrides?: JsonObject;
}

/** A provider plugin. */
export interface ProviderDefinition {
  readonly kind: "provider";
  readonly id: string;
  readonly description: string;
  readonly options: TObject;
  /** Ids by which a spec names it whose models cost nothing: local endpoints, scripts, recordings. */
  readonly free?: readonly string[];
  /**
   * The fields of a profile, all optional, where a spec may write `profile: { extends: ID, ...fields }`; what it says comes to
   * `create` as `overrides`.
   */
  readonly profileFields?: TObject;
  /** True for a model that reasons by itself before it answers. */
  readonly thinks?: (profile: string, model: string, overrides?: JsonObject) => boolean;
  /** Where a profile's models are asked, and how `asked` is asked for a schema. */
  readonly describe?: (
    profile: string,
    options: JsonObject,
    asked?: DescribedModel,
  ) => ModelDescription;
  /**
   * Looks into the files that the options name, so that a broken one is told before a run.
   *
   * Contract: synchronous, without secrets and network; it is called with options that are sound, at every check, in an
   * editor at every key press. What it finds is an error of the spec.
   */
  readonly inspect?: (options: never) => readonly FileFault[];
  /** Finds options, and fields that the spec lays over the profile, with which no call could be made; under the contract of `inspect`. */
  readonly validate?: (options: never, setup: ProviderSetup) => readonly OptionsProblem[];
  readonly inject: Inject;
  readonly create: (options: never, services: never) => Provider;
}

/** Where a provider's options come from: the spec's own, and the profile by which the spec named it. */
export interface ProviderSetup {
  /** The id used in the spec: the provider's own or one of its profiles. */
  readonly profile: string;
  /** The part of `provider/name` after the slash; `scripted` and `replay` take it as a label. */
  readonly model: string;
  /** The fields that the spec lays over the profile. */
  readonly overrides?: JsonObject;
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
  readonly profileFields?: TObject;
  readonly thinks?: ProviderDefinition["thinks"];
  readonly describe?: ProviderDefinition["describe"];
  readonly inspect?: (options: Static<O>) => readonly FileFault[];
  readonly validate?: (options: Static<O>, setup: ProviderSetup) => readonly OptionsProblem[];
  readonly inject?: I;
  readonly create: (options: Static<O> & ProviderSetup, services: Services<I>) => Provider;
}): ProviderDefinition {
  return { kind: "provider", inject: {}, ...definition } as ProviderDefinition;
}

/** No tokens. */
export const NO_USAGE: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
