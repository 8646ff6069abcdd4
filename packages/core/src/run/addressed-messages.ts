import type { AssistantMessage, Message } from "../contracts/message.ts";
import type { ProviderReply } from "../contracts/provider.ts";
import type { ModelEntry } from "../program/program.ts";

/** Notes beside a vendor's fields which model they belong to. */
export function signed(reply: ProviderReply, { id }: ModelEntry): ProviderReply {
  const { opaque } = reply.message;
  return opaque === undefined ? reply : { ...reply, message: { ...reply.message, model: id } };
}

const forAuthor = new WeakMap<Message, Message>();
const forOthers = new WeakMap<Message, Message>();

/** Messages as a model gets them: a vendor's fields go to their own model alone; the same message always becomes the same object. */
export function addressed(messages: readonly Message[], { id }: ModelEntry): readonly Message[] {
  return messages.some(isSigned)
    ? messages.map((message) => (isSigned(message) ? readdressed(message, id) : message))
    : messages;
}

type Signed = AssistantMessage & { readonly model: string };

function isSigned(message: Message): message is Signed {
  return message.role === "assistant" && message.model !== undefined;
}

function readdressed(message: Signed, id: string): Message {
  const { model, opaque, ...said } = message;
  const made = model === id ? forAuthor : forOthers;
  const wire = made.get(message) ?? (model === id && opaque ? { ...said, opaque } : said);
  made.set(message, wire);
  return wire;
}
