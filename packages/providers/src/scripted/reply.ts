import type {
  ConstraintLayer,
  ErrorCode,
  FinishReason,
  Json,
  JsonObject,
  Message,
  ProviderReply,
  ProviderRequest,
  ToolCall,
  Usage,
} from "@loopwright/core/plugin";
import { NO_USAGE, ProviderError } from "@loopwright/core/plugin";

/** A call that a scripted model asks for; text arguments are sent as they stand. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments?: JsonObject | string;
  readonly id?: string;
}

/** One entry of a script: when it fits, how often, and what the model then says. */
export interface ScriptedReply {
  /** A glob over the stage id. */
  readonly stage?: string;
  readonly voice?: string;
  /** Texts that must each occur in the messages sent. */
  readonly includes?: readonly string[];
  /** Texts that must not occur in the messages sent. */
  readonly excludes?: readonly string[];
  /** Text that must occur in the last message. */
  readonly lastIncludes?: string;
  /** Text that must occur in the step key. */
  readonly key?: string;
  /** How the schema must be asked for. */
  readonly layer?: ConstraintLayer;
  /** Inputs of the run that must have these values. */
  readonly inputs?: JsonObject;
  /** How often the entry serves one run; once unless told. */
  readonly times?: number | "always";
  readonly text?: string;
  readonly json?: Json;
  readonly calls?: readonly ScriptedCall[];
  readonly reasoning?: string;
  readonly refusal?: string;
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly retryable?: boolean;
    readonly details?: JsonObject;
  };
  readonly finishReason?: FinishReason;
  readonly usage?: Partial<Usage>;
  readonly delayMs?: number;
}

/** The text of a message, with the calls it asks for. */
export function textOf(message: Message): string {
  if (message.role !== "assistant") return message.text;
  const calls = message.toolCalls.map((call) => `${call.name} ${call.arguments}`);
  return [message.text, ...calls].filter((part) => part !== "").join("\n");
}

/** Makes the reply that an entry describes; an entry with `error` throws it. */
export function toReply(entry: ScriptedReply, request: ProviderRequest): ProviderReply {
  if (entry.error !== undefined) {
    const { code, message, retryable = false, details = {} } = entry.error;
    throw new ProviderError(code, message, { retryable, details });
  }
  const text = entry.text ?? (entry.json === undefined ? "" : JSON.stringify(entry.json));
  const reasoning = entry.reasoning ?? "";
  // The count of messages keeps ids unique along a thread.
  const toolCalls = (entry.calls ?? []).map((call, index) =>
    toToolCall(call, `call_${request.messages.length}_${index}`),
  );
  return {
    message: { role: "assistant", text, reasoning, toolCalls },
    usage:
      entry.usage === undefined
        ? estimateUsage(request, text, reasoning, toolCalls)
        : { ...NO_USAGE, ...entry.usage },
    finishReason: entry.finishReason ?? (toolCalls.length > 0 ? "tool-calls" : "stop"),
    ...(entry.refusal === undefined ? {} : { refusal: entry.refusal }),
  };
}

function toToolCall(call: ScriptedCall, id: string): ToolCall {
  const given = call.arguments ?? {};
  return {
    id: call.id ?? id,
    name: call.name,
    arguments: typeof given === "string" ? given : JSON.stringify(given),
  };
}

/** A token for every four characters. */
function estimateUsage(
  request: ProviderRequest,
  text: string,
  reasoning: string,
  toolCalls: readonly ToolCall[],
): Usage {
  const tokens = (parts: readonly string[]): number =>
    Math.ceil(parts.reduce((sum, part) => sum + part.length, 0) / 4);
  const calls = toolCalls.map((call) => `${call.name}${call.arguments}`);
  return {
    ...NO_USAGE,
    input: tokens(request.messages.map(textOf)),
    output: tokens([text, reasoning, ...calls]),
    reasoning: tokens([reasoning]),
  };
}
