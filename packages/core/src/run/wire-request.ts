import type { JsonObject } from "../contracts/json.ts";
import type { Message } from "../contracts/message.ts";
import type { ProviderRequest, Sampling, ToolDescription } from "../contracts/provider.ts";
import { requestHash } from "./request-hash.ts";

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

  constructor(request: Omit<ProviderRequest, "requestHash">) {
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
  }

  get requestHash(): string {
    return requestHash(this);
  }
}
