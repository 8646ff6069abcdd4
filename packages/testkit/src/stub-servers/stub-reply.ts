/** A tool call that a stub model asks for. */
export interface StubCall {
  readonly name: string;
  readonly arguments: string;
  readonly id?: string;
}

/** What the stub server answers; a field that is left out is what a healthy endpoint would do. */
export interface StubReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly refusal?: string;
  readonly calls?: readonly StubCall[];
  readonly finishReason?: string;
  readonly usage?: Readonly<Record<string, unknown>>;
  /** The chunks of a stream as they stand, in place of those made of the fields above. */
  readonly chunks?: readonly unknown[];
  /** The whole body as it stands, for broken ones. */
  readonly body?: string;
  /** With 400 or more and no `body`, `text` is the message of the error. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Waits before the status line. */
  readonly delayMs?: number;
  /** Waits between pieces of the body. */
  readonly pieceDelayMs?: number;
  /** Cuts the body into pieces of so many bytes; whole events unless told. */
  readonly pieceBytes?: number;
  /** Closes the connection after so many pieces. */
  readonly closeAfter?: number;
  /** Keeps the connection open in silence after so many pieces. */
  readonly hangAfter?: number;
  /** Sends a keep-alive comment every so many milliseconds while it hangs. */
  readonly keepAliveMs?: number;
}
