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
