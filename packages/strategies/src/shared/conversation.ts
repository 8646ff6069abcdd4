import type { Message, Reply } from "@loopwright/core/plugin";

/** The conversation up to and with a reply, without the system message; an empty reply leaves no message. */
export function conversationOf(reply: Reply): readonly Message[] {
  const { sent } = reply;
  const said = sent.some(isSystem) ? sent.filter((message) => !isSystem(message)) : sent;
  return isSilent(reply) ? said : [...said, reply.message];
}

function isSystem({ role }: Message): boolean {
  return role === "system";
}

/** Adds a user message; it joins a user message before it, because some endpoints want the roles to alternate. */
export function sayTo(messages: readonly Message[], text: string): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== "user") return [...messages, { role: "user", text }];
  return [...messages.slice(0, -1), { role: "user", text: `${last.text}\n\n${text}` }];
}

/** True for a reply with neither text nor tool calls. */
export function isSilent(reply: Reply): boolean {
  return reply.text.trim() === "" && reply.toolCalls.length === 0;
}
