import type { JsonObject } from "../contracts/json.ts";
import type { Message } from "../contracts/message.ts";
import type { ProviderRequest, Sampling, ToolDescription } from "../contracts/provider.ts";
import { type AskedForm, requestHash } from "./request-hash.ts";

/** A request as a provider gets it. Its hash is worked out when somebody asks, by one getter for all requests: objects with a getter each are slow to make and to read. */
export class WireRequest implements ProviderRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  declare readonly output?: NonNullable<ProviderRequest["output"]>;
  readonly sampling: Sampling;
  readonly key: string;
  readonly runId: string;
  readonly stage: string;
  readonly voice: string;
  readonly inputs: JsonObject;
  readonly #form: AskedForm | undefined;

  /** `form`: what is asked for, before any dialect; the hash is over that. */
  constructor(request: Omit<ProviderRequest, "requestHash">, form?: AskedForm) {
    this.model = request.model;
    this.messages = request.messages;
    this.tools = request.tools;
    if (request.output !== undefined) this.output = request.output;
    this.sampling = request.sampling;
    this.key = request.key;
    this.runId = request.runId;
    this.stage = request.stage;
    this.voice = request.voice;
    this.inputs = request.inputs;
    this.#form = form ?? request.output;
  }

  get requestHash(): string {
    return requestHash(this, this.#form);
  }

  /** The same request for a reply of so many tokens at most. */
  withMaxTokens(maxTokens: number): WireRequest {
    const { model, messages, tools, output, key, runId, stage, voice, inputs } = this;
    const sampling = { ...this.sampling, maxTokens };
    const plain = { model, messages, tools, sampling, key, runId, stage, voice, inputs };
    return new WireRequest(output === undefined ? plain : { ...plain, output }, this.#form);
  }
}
