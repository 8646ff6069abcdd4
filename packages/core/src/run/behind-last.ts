import type { Message } from "../contracts/message.ts";

/**
 * A conversation with words behind its last message: joined to what the user said or, behind its fence, to a result. After
 * results some endpoints take no message of a user, and what a person said there stays that person's own.
 */
export function behindLast(messages: readonly Message[], text = ""): readonly Message[] {
  if (text === "") return messages;
  const isSaidToResults = messages.at(-1)?.role === "user" && messages.at(-2)?.role === "tool";
  const at = messages.length - (isSaidToResults ? 2 : 1);
  const last = messages[at];
  if (last?.role !== "user" && last?.role !== "tool") return [...messages, { role: "user", text }];
  return messages.with(at, { ...last, text: `${last.text}\n\n${text}` });
}
