import type { Message } from "../contracts/message.ts";
import type { ProviderReply } from "../contracts/provider.ts";

/** A conversation in which a reply is answered with what is wrong with it; no message is empty, and no two of one role follow each other. */
export function fedBack(
  messages: readonly Message[],
  reply: ProviderReply,
  fault: string,
): readonly Message[] {
  const text = `Your reply could not be used: ${fault}. Send the whole reply again, corrected, and nothing else.`;
  const last = messages.at(-1);
  if (reply.message.text.trim() !== "")
    return [...messages, { ...reply.message, toolCalls: [] }, { role: "user", text }];
  if (last?.role !== "user") return [...messages, { role: "user", text }];
  return [...messages.slice(0, -1), { role: "user", text: `${last.text}\n\n${text}` }];
}
