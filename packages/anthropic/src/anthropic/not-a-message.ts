/** An answer that is no message, as it came: it may hold the key, so its words go through `toMessageFault` alone. */
export class NotAMessage extends Error {
  readonly said: string;

  constructor(reply: unknown) {
    super("the endpoint did not answer with a message");
    this.said = typeof reply === "string" ? reply : JSON.stringify(reply ?? null);
  }
}
