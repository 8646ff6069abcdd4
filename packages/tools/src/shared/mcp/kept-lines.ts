import { stripVTControlCharacters } from "node:util";

const maxChars = 2_000;

/** The last words of a stream, as plain text of bounded length. */
export class KeptLines {
  #text = "";

  push(chunk: string): void {
    this.#text = (this.#text + chunk).slice(-maxChars);
  }

  /** Without control characters; empty where nothing was said. */
  text(): string {
    return plainText(this.#text);
  }
}

/** Text from outside as people may read it: without control characters, in one line. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
}
