import type { Json, JsonSchema } from "../contracts/json.ts";
import type { Message } from "../contracts/message.ts";
import type {
  ConstraintLayer,
  ProviderReply,
  Sampling,
  ToolDescription,
} from "../contracts/provider.ts";

/** What one model call needs, whichever model answers it. */
export interface ModelRequest {
  readonly voice: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  /** `layer`: the highest one to ask on. */
  readonly output?: {
    readonly name: string;
    readonly schema: JsonSchema;
    readonly layer?: ConstraintLayer;
  };
  readonly sampling: Sampling;
}

/** A reply, and how it was asked for. */
export interface ModelReply extends ProviderReply {
  /** The model that answered, as the spec names it. */
  readonly model?: string;
  /** Gives an answer the form of the whole schema, where it was asked for in a narrower dialect. */
  readonly undo?: (answer: Json) => Json;
  /** The longest reply that was asked for, in tokens; left out where the request said none. */
  readonly maxTokens?: number;
  /** True where the limits of the run left less room for the reply than was wanted. */
  readonly isCapped?: boolean;
}
