import { maxMessageChars, TOO_LONG } from "./message-limit.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * The pieces of a body in whole messages: of a stream of events up to the last blank line, so that nobody has to look
 * through a long one again for each of its pieces; of any other body as they come. Throws where a message is too long.
 */
export class WholeEvents {
  readonly #isStream: boolean;
  #held: Uint8Array[] = [];
  #size = 0;
  #isBlank = true;
  #last = 0;
  #isAfterEvent = false;

  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  /** Takes a piece, and gives what can be read now. */
  push(piece: Uint8Array): Uint8Array | undefined {
    if (!this.#isStream) {
      this.#count(piece.length);
      return piece;
    }
    const end = this.#endOfEvents(piece);
    if (end === 0) {
      this.#held.push(piece);
      return undefined;
    }
    this.#held.push(piece.subarray(0, end));
    const whole = this.rest();
    if (end < piece.length) this.#held.push(piece.subarray(end));
    return whole;
  }

  /** What is held of a message that has not ended. */
  rest(): Uint8Array | undefined {
    const held = this.#held;
    this.#held = [];
    return held.length > 1 ? Buffer.concat(held) : held[0];
  }

  /** The place after the last event that ends in a piece. */
  #endOfEvents(piece: Uint8Array): number {
    let end = 0;
    let begin = 0;
    for (let index = 0; index < piece.length; index++) {
      const byte = piece[index] as number;
      const isSecondHalf = byte === LINE_FEED && this.#last === CARRIAGE_RETURN;
      this.#last = byte;
      if (isSecondHalf) {
        if (this.#isAfterEvent) end = index + 1;
        continue;
      }
      const isBreak = byte === LINE_FEED || byte === CARRIAGE_RETURN;
      this.#isAfterEvent = isBreak && this.#isBlank;
      if (this.#isAfterEvent) {
        this.#count(index - begin);
        this.#size = 0;
        begin = index + 1;
        end = index + 1;
      }
      this.#isBlank = isBreak;
    }
    this.#count(piece.length - begin);
    return end;
  }

  #count(bytes: number): void {
    this.#size += bytes;
    if (this.#size > maxMessageChars) throw new Error(TOO_LONG);
  }
}
