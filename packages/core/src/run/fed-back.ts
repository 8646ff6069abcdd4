import type { AssistantMessage, Message } from "../contracts/message.ts";
import { definePrompt, type Language, wordsIn } from "../contracts/prompt.ts";
import { behindLast } from "./behind-last.ts";
import { cutText } from "./cut-text.ts";

const maxChars = 4_000;

/** A conversation in which a reply is answered with what is wrong with it. */
export function fedBack(
  messages: readonly Message[],
  reply: AssistantMessage,
  fault: string,
  language: Language = "en",
): readonly Message[] {
  const text = wordsIn(language, CORRECT, { fault });
  return replied(messages, { ...reply, text: cutText(reply.text, maxChars) }, text);
}

/**
 * A conversation with a reply and what the user says to it; no message is empty, and no two of one role follow each other.
 * Calls of tools are left out, since nothing answers them; a vendor's own fields stay.
 */
export function replied(
  messages: readonly Message[],
  reply: AssistantMessage,
  text: string,
): readonly Message[] {
  return reply.text.trim() === ""
    ? behindLast(messages, text)
    : [...messages, { ...reply, toolCalls: [] }, { role: "user", text }];
}

const CORRECT = definePrompt({
  en: "Your reply could not be used: {{fault}}. Send the whole reply again, corrected, and nothing else.",
  zh: "你的回复无法使用：{{fault}}。请改正后重新发送完整的回复，不要附加其他内容。",
});
