import { stripVTControlCharacters } from "node:util";

const shownBytes = 16;

/** What a program wrote, in bounded memory: its beginning and its end, and how much lay between. */
export class KeptOutput {
  readonly #maxHead: number;
  readonly #maxTail: number;
  readonly #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #bytes = 0;

  /** Keeps at most `maxBytes`, half of them from the beginning. */
  constructor(maxBytes: number) {
    this.#maxHead = Math.ceil(maxBytes / 2);
    this.#maxTail = Math.floor(maxBytes / 2);
  }

  /** Takes the next piece. */
  push(chunk: Buffer): void {
    this.#bytes += chunk.byteLength;
    const forHead = chunk.subarray(0, this.#maxHead - this.#headBytes);
    if (forHead.byteLength > 0) this.#head.push(forHead);
    this.#headBytes += forHead.byteLength;
    const rest = chunk.subarray(forHead.byteLength);
    if (rest.byteLength === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.byteLength;
    if (this.#tailBytes > this.#maxTail + 1_000_000) this.#trim();
  }

  /** What was kept as text, with a note where bytes were left out; binary output is described. */
  text(): string {
    this.#trim();
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    const left = this.#bytes - head.byteLength - tail.byteLength;
    if (isBinary(head) || isBinary(tail)) {
      const first = head.subarray(0, shownBytes).toString("hex");
      return `[binary output, ${this.#bytes} bytes; the first are ${first}]`;
    }
    if (left === 0) return plain(Buffer.concat([head, tail]));
    return `${plain(head)}\n[${left} bytes left out here]\n${plain(tail)}`;
  }

  #trim(): void {
    const all = Buffer.concat(this.#tail);
    const kept = all.subarray(Math.max(0, all.byteLength - this.#maxTail));
    this.#tail = kept.byteLength === 0 ? [] : [Buffer.from(kept)];
    this.#tailBytes = kept.byteLength;
  }
}

/** Text has no NUL, and hardly a byte that is no UTF-8; a character may be cut at either end. */
function isBinary(bytes: Buffer): boolean {
  if (bytes.includes(0)) return true;
  const wrong = bytes.toString("utf8").split("\u{FFFD}").length - 1;
  return wrong > 8 && wrong > bytes.byteLength / 20;
}

function plain(bytes: Buffer): string {
  return stripVTControlCharacters(bytes.toString("utf8").replaceAll(/^\u{FFFD}+|\u{FFFD}+$/gu, ""));
}
