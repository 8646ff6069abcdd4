import type { Message, ProviderRequest } from "@loopwright/core/plugin";
import type { StubRequest } from "../stub-servers/stub-openai.ts";

interface WireMessage {
  readonly role: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly arguments: string };
  }[];
}

/** What a strict server finds wrong in a history: calls without results, results without calls, arguments that are no object. */
export function historyFaults({ body }: StubRequest): readonly string[] {
  const messages = body["messages"] as readonly WireMessage[];
  return messages.flatMap((message, index) => {
    if (message.role === "tool") {
      const asking = messages.slice(0, index).findLast(({ role }) => role === "assistant");
      const ids = asking?.tool_calls?.map(({ id }) => id) ?? [];
      return ids.includes(message.tool_call_id ?? "") ? [] : [`message ${index} answers no call`];
    }
    const calls = message.tool_calls ?? [];
    const results = resultsAfter(messages, index);
    return calls.flatMap(({ id, function: { arguments: text } }) => [
      ...(results.filter((result) => result === id).length === 1 ? [] : [`${id} has no result`]),
      ...(isObjectText(text) ? [] : [`the arguments of ${id} are no object`]),
    ]);
  });
}

function resultsAfter(messages: readonly WireMessage[], index: number): readonly unknown[] {
  const rest = messages.slice(index + 1);
  const end = rest.findIndex(({ role }) => role !== "tool");
  return rest.slice(0, end < 0 ? undefined : end).map((message) => message.tool_call_id);
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * What the strictest endpoint finds wrong in the messages of a request: roles that do not alternate, a call that is not
 * answered exactly once and directly after it, a result of no call, a message that says nothing.
 */
export function messageFaults({ messages }: ProviderRequest): readonly string[] {
  const said = messages.filter(({ role }) => role !== "system");
  const last = said.at(-1)?.role;
  const ending = last === "user" || last === "tool" ? [] : [`the end is ${last ?? "nothing"}`];
  return [...said.flatMap((message, index) => faultsAt(said, message, index)), ...ending];
}

function faultsAt(said: readonly Message[], message: Message, index: number): readonly string[] {
  const before = said[index - 1];
  const at = (fault: string): string => `message ${index} (${message.role}) ${fault}`;
  const isEmpty = message.text.trim() === "";
  if (message.role === "tool") {
    const asking = said.slice(0, index).findLast(({ role }) => role !== "tool");
    const ids = asking?.role === "assistant" ? asking.toolCalls.map(({ id }) => id) : [];
    return [
      ...(ids.includes(message.callId) ? [] : [at("answers no call")]),
      ...(isEmpty ? [at("is empty")] : []),
    ];
  }
  const faults = message.role === before?.role ? [at("follows its own role")] : [];
  if (message.role !== "assistant") return isEmpty ? [...faults, at("is empty")] : faults;
  if (before === undefined) faults.push(at("is the first"));
  if (isEmpty && message.toolCalls.length === 0) faults.push(at("is empty"));
  const answers = answersAfter(said, index);
  const asked = message.toolCalls.map(({ id }) => id);
  if (asked.toSorted().join(" ") !== answers.toSorted().join(" "))
    faults.push(at(`asks for ${asked.join(", ")} and gets ${answers.join(", ")}`));
  return faults;
}

function answersAfter(said: readonly Message[], index: number): readonly string[] {
  const rest = said.slice(index + 1);
  const end = rest.findIndex(({ role }) => role !== "tool");
  return rest
    .slice(0, end < 0 ? undefined : end)
    .map((message) => (message.role === "tool" ? message.callId : ""));
}
