import type { Message } from "@loopwright/core/plugin";
import { sayTo } from "../shared/conversation.ts";
import type { Talk } from "../shared/thread.ts";

/**
 * A conversation with words behind its last message: joined to what a user said or, behind its fence, to a result. After
 * results some endpoints take no message of a user.
 */
export function behindLast(messages: readonly Message[], text: string): readonly Message[] {
  const last = messages.at(-1);
  if (text === "") return messages;
  if (last?.role !== "tool") return sayTo(messages, text);
  return [...messages.slice(0, -1), { ...last, text: `${last.text}\n\n${text}` }];
}

/** The conversation with what people said while `asked` was sent; a first prompt as it was sent, and no tail of any step. */
export function heardIn(
  messages: readonly Message[],
  asked: Talk,
  sent: readonly Message[],
): readonly Message[] {
  const said = sent.filter(({ role }) => role !== "system");
  const last = said.at(-1);
  if (asked.prompt !== undefined)
    return [...messages, last ?? { role: "user", text: asked.prompt }];
  if (last?.role !== "user") return messages;
  if (said.length > asked.messages.length) return [...messages, last];
  const before = asked.messages.at(-1)?.text ?? "";
  const heard = last.text.startsWith(before) ? last.text.slice(before.length).trim() : "";
  return heard === "" ? messages : sayTo(messages, heard);
}
