/** What an endpoint sent in place of a chat completion, whole; told as a ProviderError once the key is out of it. */
export class UnreadableReply extends Error {
  readonly said: string;

  constructor(reply: unknown) {
    super("what came is no chat completion");
    this.said = typeof reply === "string" ? reply : (JSON.stringify(reply ?? undefined) ?? "");
  }
}
