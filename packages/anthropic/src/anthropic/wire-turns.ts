import type {
  AssistantMessage,
  JsonObject,
  Message,
  ToolCall,
  ToolDescription,
} from "@loopwright/core/plugin";
import { blocksOf } from "./kept-blocks.ts";
import type { WireBlock, WireTurn } from "./message-wire.ts";
import { WireCallIds } from "./wire-call-ids.ts";

/** Stands where a conversation must have a person's words and has none: at its start and at its end. */
const GO_ON = "Go on.";

/** The system messages as one text. */
export function systemText(messages: readonly Message[]): string {
  const texts = messages.flatMap(({ role, text }) => (role === "system" ? [text] : []));
  return texts.filter(hasWords).join("\n\n");
}

/**
 * The turns of a conversation: a person and the model in alternation, the person first and last. The results of tools are
 * the person's, and stand before what else the person says.
 */
export function toTurns(messages: readonly Message[]): readonly WireTurn[] {
  const ids = new WireCallIds();
  const turns: WireTurn[] = [];
  let said: Message[] = [];
  const close = (): void => {
    const content = toUserContent(said, ids);
    if (content.length > 0) turns.push({ role: "user", content });
    said = [];
  };
  for (const message of messages) {
    if (message.role !== "assistant") {
      said.push(message);
      continue;
    }
    close();
    const content = toAssistantContent(message, ids);
    if (content.length > 0) turns.push({ role: "assistant", content });
  }
  close();
  const goOn: WireTurn = { role: "user", content: [{ type: "text", text: GO_ON }] };
  return [
    ...(turns[0]?.role === "user" ? [] : [goOn]),
    ...turns,
    ...(turns.at(-1)?.role === "assistant" ? [goOn] : []),
  ];
}

/** Tools that a history names, for a request that offers none: the protocol refuses calls of tools that it does not know. */
export function toolsOfHistory(messages: readonly Message[]): readonly ToolDescription[] {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.toolCalls : [],
  );
  const names = new Set(calls.map(({ name }) => name));
  return [...names].map((name) => ({
    name,
    description: "Can't be called any more.",
    input: { type: "object" },
  }));
}

function toUserContent(said: readonly Message[], ids: WireCallIds): readonly JsonObject[] {
  const results = said.flatMap((message) =>
    message.role === "tool" ? [toResult(message, ids)] : [],
  );
  const texts = said.flatMap((message) => (message.role === "user" ? toText(message.text) : []));
  return [...results, ...texts];
}

type ResultMessage = Extract<Message, { readonly role: "tool" }>;

function toResult({ callId, name, text, ok }: ResultMessage, ids: WireCallIds): JsonObject {
  const id = ids.of(callId);
  if (id === undefined) return { type: "text", text: `Result of ${name}:\n${text}` };
  return {
    type: "tool_result",
    tool_use_id: id,
    ...(hasWords(text) ? { content: text } : {}),
    ...(ok ? {} : { is_error: true }),
  };
}

function toAssistantContent(message: AssistantMessage, ids: WireCallIds): readonly JsonObject[] {
  const calls = new Map(message.toolCalls.map((call) => [call.id, call]));
  // A message whose calls were taken back goes without what they rested on.
  const kept = calls.size === 0 ? undefined : blocksOf(message);
  const inPlace = (kept ?? [{ type: "text", text: message.text }]).flatMap(
    (block): readonly JsonObject[] => {
      const { type, id, text } = block as WireBlock;
      if (type === "text") return toText(text ?? "");
      if (type !== "tool_use") return [block];
      const call = calls.get(id ?? "");
      calls.delete(id ?? "");
      return call === undefined ? [] : [toUse(call, ids)];
    },
  );
  return [...inPlace, ...[...calls.values()].map((call) => toUse(call, ids))];
}

function toUse({ id, name, arguments: text }: ToolCall, ids: WireCallIds): JsonObject {
  return { type: "tool_use", id: ids.open(id), name, input: toInput(text) };
}

/** The protocol takes arguments as an object, so unreadable ones are wrapped. */
function toInput(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as JsonObject;
  } catch {
    return { unreadable: text };
  }
  return { unreadable: text };
}

/** The protocol refuses texts without words. */
function toText(text: string): readonly JsonObject[] {
  return hasWords(text) ? [{ type: "text", text }] : [];
}

function hasWords(text: string): boolean {
  return text.trim() !== "";
}
