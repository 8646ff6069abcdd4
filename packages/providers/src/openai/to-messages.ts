import type {
  AssistantMessage,
  Json,
  JsonObject,
  Message,
  ToolCall,
} from "@loopwright/core/plugin";
import { toWireCallId } from "./call-ids.ts";
import type { Profile } from "./profile-fields.ts";
import { toWireName } from "./tool-names.ts";

/** Fields of reasoning, which go back only as the profile says. */
const REASONING = new Set(["reasoning_content", "reasoning"]);

/** Translates a conversation. */
export function toWireMessages(messages: readonly Message[], profile: Profile): JsonObject[] {
  return messages.map((message) => toWireMessage(message, profile));
}

function toWireMessage(message: Message, profile: Profile): JsonObject {
  switch (message.role) {
    case "tool":
      return {
        role: "tool",
        tool_call_id: toWireCallId(message.callId, profile),
        content: message.text,
      };
    case "assistant":
      return message.toolCalls.length === 0
        ? { ...toOwnFields(message, profile), role: "assistant", content: message.text }
        : toCallingMessage(message, profile);
    case "system":
      return { role: profile.systemRole, content: message.text };
    default:
      return { role: message.role, content: message.text };
  }
}

/** A conversation is sent again with each step, and its messages never change; what a profile makes of one is its own. */
const translated = new WeakMap<Profile, WeakMap<AssistantMessage, JsonObject>>();

function toCallingMessage(message: AssistantMessage, profile: Profile): JsonObject {
  const known = translated.get(profile) ?? new WeakMap<AssistantMessage, JsonObject>();
  translated.set(profile, known);
  const before = known.get(message);
  if (before !== undefined) return before;
  const extras = message.opaque?.["tool_calls"];
  const made = {
    ...toOwnFields(message, profile),
    role: "assistant",
    content: message.text === "" ? null : message.text,
    tool_calls: message.toolCalls.map((call) => toWireCall(call, extras, profile)),
  };
  known.set(message, made);
  return made;
}

/** A vendor's own fields as they came, and reasoning where the profile wants it back. */
function toOwnFields({ opaque = {}, toolCalls }: AssistantMessage, profile: Profile): JsonObject {
  const { echo, echoField, echoFiller } = profile;
  const own = Object.entries(opaque).filter(
    ([name]) => name !== "tool_calls" && name !== echoField && !REASONING.has(name),
  );
  const isWanted = echo === "always" || (echo === "with-tool-calls" && toolCalls.length > 0);
  const said = opaque[echoField];
  const reasoning = typeof said === "string" && said !== "" ? said : (echoFiller ?? said);
  if (isWanted && reasoning !== undefined) own.push([echoField, reasoning]);
  return Object.fromEntries(own);
}

function toWireCall(call: ToolCall, extras: Json | undefined, profile: Profile): JsonObject {
  const own = isObject(extras) && Object.hasOwn(extras, call.id) ? extras[call.id] : undefined;
  return {
    ...(isObject(own) ? own : {}),
    id: toWireCallId(call.id, profile),
    type: "function",
    function: {
      name: toWireName(call.name, profile),
      arguments: toReadableArguments(call.arguments),
    },
  };
}

/** Servers refuse a history whose arguments they can't read, so unreadable ones are wrapped. */
function toReadableArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return text;
  } catch {
    return JSON.stringify({ unreadable: text });
  }
  return JSON.stringify({ unreadable: text });
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
