/** How many times the agent calls its tool before it answers. */
export const TOOL_ROUNDS = 10;

/** A step is one model call with what follows from it; the last one answers. */
export const STEPS: number = TOOL_ROUNDS + 1;

/** The key that all send; the stub takes any. */
export const KEY = "sk-bench-0000000000";

export const QUESTION =
  "What do the ten spare parts part-1 to part-10 cost together, at today's price of each?";

/** A chat message as it goes over the wire. */
export interface WireMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly WireCall[];
  readonly tool_call_id?: string;
}

/** A call as a model asks for it. */
export interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** What opens the conversation of every contestant. */
export interface Opening {
  readonly messages: readonly WireMessage[];
  readonly tools: readonly object[];
}

/** The tool: looks a price up in memory. */
export function priceOf(part: string): { readonly part: string; readonly cents: number } {
  return { part, cents: 100 + Number(part.slice("part-".length)) };
}

/** What the model says to a conversation: the next call, and the sum after the last one. */
export function replyTo(messages: readonly WireMessage[]): WireMessage {
  const done = messages.filter(({ role }) => role === "tool").length;
  if (done >= TOOL_ROUNDS) return { role: "assistant", content: ANSWER };
  const part = `part-${done + 1}`;
  const call = { name: "price", arguments: JSON.stringify({ part }) };
  return {
    role: "assistant",
    content: `I look the price of ${part} up.`,
    tool_calls: [{ id: `call-${part}`, type: "function", function: call }],
  };
}

/** The right answer; a contestant that gives another one is disqualified. */
export const ANSWER = "Together they cost 10.55.";
