import type { Message } from "@loopwright/core/plugin";
import { sayTo } from "../shared/conversation.ts";
import type { Talk } from "../shared/thread.ts";

/** The conversation with what people said while `asked` was sent, and with a first prompt as it was sent. */
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
