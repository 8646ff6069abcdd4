import type { Ending } from "./event.ts";
import type { JsonObject } from "./json.ts";
import type { FinishReason, Usage } from "./message.ts";

/** One reply that could not be used. */
export interface RejectedReply {
  readonly stage: string;
  /** The step key of the call. */
  readonly key: string;
  readonly model: string;
  /** What the model said, whole but for secrets; cut after 64,000 characters. */
  readonly text: string;
  /** What it thought, cut as the text is; left out where it told no thoughts. */
  readonly reasoning?: string;
  readonly finishReason: FinishReason;
  readonly code: string;
  /** What was wrong with it, as it was fed back. */
  readonly message: string;
  readonly usage: Usage;
}

/** A run that gave no valid answer, with everything needed to see why and to run it again; plain JSON, one line of a file. */
export interface DeadLetter {
  readonly v: 1;
  readonly kind: "dead-letter";
  /** The id of the run. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly spec: string;
  /** The spec file, relative to the project root. */
  readonly file: string;
  readonly programHash: string;
  readonly outcome: Ending;
  /** The error code of what ended the run, and its words. */
  readonly code: string;
  readonly message: string;
  /** The original input. */
  readonly input: { readonly task?: string; readonly inputs: JsonObject };
  /** The replies that were refused, in their order. */
  readonly attempts: readonly RejectedReply[];
  /** SHA-256, hex, over the declared schema of the answer. */
  readonly schemaHash: string;
  /** How many model calls the run made, failed ones and repairs too; not every letter tells it. */
  readonly modelCalls?: number;
  readonly usage: Usage;
  readonly usd: number;
  /** What a caller knows about the item: the row of a batch. */
  readonly origin?: JsonObject;
}
