import {
  type AssistantMessage,
  type Delta,
  findTextCalls,
  type FoundTextCalls,
  type JsonObject,
  ProviderError,
  type ProviderReply,
  type ProviderRequest,
  type ToolCall,
} from "@loopwright/core/plugin";
import { toFinishReason } from "./finish-reason.ts";
import type { Profile } from "./profile-fields.ts";
import { TextParts } from "./text-parts.ts";
import { thinkingOf } from "./thinking.ts";
import { ownNames } from "./tool-names.ts";
import { toOwnArguments } from "./to-tools.ts";
import { type AssembledCall, finishCalls, ToolCallParts } from "./tool-call-parts.ts";
import { UnreadableReply } from "./unreadable-reply.ts";
import { toUsage } from "./usage.ts";
import { VendorFields } from "./vendor-fields.ts";
import type { WireMessage, WireReply, WireUsage } from "./wire.ts";

/** What a reply answers, and how the endpoint writes replies. */
export interface ReplyTask {
  readonly request: ProviderRequest;
  readonly profile: Profile;
  readonly stream: boolean;
}

/** Translates a whole chat completion. */
export function fromReply(reply: unknown, task: ReplyTask): ProviderReply {
  const parts = new ReplyParts(task);
  const choice = isRecord(reply) ? (reply as WireReply).choices?.[0] : undefined;
  if (!isRecord(choice?.message)) throw new UnreadableReply(reply);
  parts.addWhole(reply as WireReply);
  return parts.finish();
}

/** Puts a reply together from the chunks of a stream. */
export class ReplyParts {
  readonly #task: ReplyTask;
  readonly #text: TextParts;
  readonly #calls = new ToolCallParts();
  readonly #fields = new VendorFields("message");
  #wholeCalls: readonly AssembledCall[] | undefined;
  #hasChoice = false;
  #hasDelta = false;
  /** What came first where no reply has come. */
  #strange: unknown;
  #reasoning: string | undefined;
  #refusal = "";
  #finishReason: unknown;
  #usage: WireUsage | undefined;
  #ownNames: ReadonlyMap<string, string> | undefined;

  constructor(task: ReplyTask, onDelta?: (delta: Delta) => void) {
    const { request, profile, stream } = task;
    this.#task = task;
    this.#text = new TextParts({
      mayThink: profile.thinksInText,
      isThinking: thinkingOf(request, profile, stream).isOn,
      onDelta,
    });
  }

  /** Adds a chunk and tells what it says; false where it says nothing of a reply. */
  add(chunk: unknown): boolean {
    this.#strange ??= chunk;
    if (!isRecord(chunk)) return false;
    const { choices, usage } = chunk as WireReply;
    const choice = Array.isArray(choices) ? choices[0] : undefined;
    // The last count is the whole one; some servers send one with every chunk, some inside the choice.
    this.#usage = [usage, choice?.usage].find(isRecord) ?? this.#usage;
    if (!isRecord(choice)) return isRecord(usage);
    this.#hasChoice = true;
    // Some servers send an empty reason with every chunk.
    const { finish_reason: reason } = choice;
    if (isWord(reason)) this.#finishReason = reason;
    const delta = choice.delta ?? choice.message;
    if (!isRecord(delta)) return isWord(reason) || isRecord(usage);
    this.#addMessage(delta);
    for (const call of listOf(delta.tool_calls)) this.#calls.add(call);
    const isFirst = !this.#hasDelta;
    this.#hasDelta = true;
    return saysSomething(delta, isFirst) || isWord(reason) || isRecord(usage);
  }

  /** Whether the model has said why it stopped. */
  get isFinished(): boolean {
    return this.#finishReason !== undefined;
  }

  /** Whether tokens were counted. */
  get hasUsage(): boolean {
    return isRecord(this.#usage);
  }

  /** Adds a reply that came in one piece, each of whose calls is whole. */
  addWhole(reply: WireReply): void {
    const choice = reply.choices?.[0];
    this.#usage = reply.usage ?? choice?.usage ?? undefined;
    this.#hasChoice = true;
    this.#finishReason = choice?.finish_reason ?? "stop";
    this.#addMessage(choice?.message ?? {});
    this.#wholeCalls = listOf(choice?.message?.tool_calls).map((call) => {
      const one = new ToolCallParts();
      one.add(call);
      return one.calls[0] as AssembledCall;
    });
  }

  /** The whole reply; `body` is what came where that was no stream. */
  finish(body?: string): ProviderReply {
    if (!this.#hasChoice)
      throw new UnreadableReply(body ?? this.#strange ?? "a stream without a reply");
    if (this.#finishReason === undefined) {
      throw new ProviderError(
        "provider-failed",
        "The stream ended before the reply was finished. Try again.",
        { retryable: true },
      );
    }
    const { request, profile } = this.#task;
    const idPrefix = `call_${request.messages.length}_`;
    const said = this.#text.finish();
    const sent = finishCalls(this.#wholeCalls ?? this.#calls.calls, idPrefix);
    const found = sent.length === 0 ? this.#callsIn(said.text) : undefined;
    const calls = found === undefined ? sent : finishCalls(found.calls, idPrefix);
    const reasoning = said.reasoning + (found?.thought ?? "");
    const opaque = this.#opaqueOf(calls, reasoning);
    const message: AssistantMessage = {
      role: "assistant",
      text: found?.rest ?? said.text,
      reasoning,
      toolCalls: calls.map(({ id, name, arguments: given }) =>
        this.#toOwn({ id, name, arguments: given }),
      ),
      ...(opaque === undefined ? {} : { opaque }),
    };
    return {
      message,
      usage: toUsage(this.#usage, profile.usage),
      finishReason: toFinishReason(this.#finishReason, calls.length > 0),
      ...(this.#refusal === "" ? {} : { refusal: this.#refusal }),
    };
  }

  #addMessage(message: WireMessage): void {
    const given = message[this.#task.profile.echoField as "reasoning_content"];
    const reasoning =
      toText(given) || toText(message.reasoning_content) || toText(message.reasoning);
    if (typeof given === "string" || reasoning !== "")
      this.#reasoning = (this.#reasoning ?? "") + reasoning;
    this.#text.addReasoning(reasoning);
    this.#text.addText(toText(message.content));
    this.#refusal += toText(message.refusal);
    this.#fields.add(message);
  }

  /**
   * Models that were trained on text write their calls into it where a server does not read them.
   *
   * A call that is only thought of is none, whether or not the profile says that thinking stands in the text.
   */
  #callsIn(text: string): (FoundTextCalls & { readonly thought: string }) | undefined {
    const { request, profile } = this.#task;
    if (!profile.readsCallsInText || request.tools.length === 0) return undefined;
    const parts = new TextParts({ mayThink: true, isThinking: true });
    parts.addText(text);
    const said = profile.thinksInText ? { text, reasoning: "" } : parts.finish();
    const names = request.tools.map(({ name }) => name);
    const found = findTextCalls(said.text, [...names, ...ownNames(request.tools, profile).keys()]);
    return found === undefined ? undefined : { ...found, thought: said.reasoning };
  }

  #toOwn(call: ToolCall): ToolCall {
    const { request, profile } = this.#task;
    this.#ownNames ??= ownNames(request.tools, profile);
    const name = this.#ownNames.get(call.name) ?? call.name;
    const tool = request.tools.find((one) => one.name === name);
    return tool === undefined
      ? call
      : { ...call, name, arguments: toOwnArguments(call.arguments, tool, profile) };
  }

  /** What goes back with the message: reasoning as the profile says, and beside calls whatever the vendor added. */
  #opaqueOf(calls: readonly AssembledCall[], reasoning: string): JsonObject | undefined {
    const { echo, echoField } = this.#task.profile;
    const isEchoed = echo === "always" || (echo === "with-tool-calls" && calls.length > 0);
    const own = calls.flatMap(({ id, extras }) => (extras === undefined ? [] : [[id, extras]]));
    const opaque: JsonObject = {
      ...(calls.length > 0 ? this.#fields.fields : {}),
      ...(isEchoed && (this.#reasoning !== undefined || reasoning !== "")
        ? { [echoField]: this.#reasoning ?? reasoning }
        : {}),
      ...(own.length === 0 ? {} : { tool_calls: Object.fromEntries(own) as JsonObject }),
    };
    return Object.keys(opaque).length === 0 ? undefined : opaque;
  }
}

function isRecord<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf<T>(value: readonly T[] | null | undefined): readonly (T & object)[] {
  return Array.isArray(value) ? (value as readonly T[]).filter(isRecord) : [];
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Some servers send empty pieces to keep a connection alive; the role that every piece may repeat counts once. */
function saysSomething(delta: object, isFirst: boolean): boolean {
  return Object.entries(delta).some(([name, value]: [string, unknown]) => {
    if (name === "role") return isFirst;
    return Array.isArray(value) ? value.length > 0 : isRecord(value) || isWord(value);
  });
}

/** Content is text, or a list of parts of which the text counts. */
function toText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) =>
      typeof part === "object" && part !== null && "text" in part ? part.text : "",
    )
    .filter((text) => typeof text === "string")
    .join("");
}
