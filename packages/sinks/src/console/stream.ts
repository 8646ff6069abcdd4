import { neutralize, wrap } from "./text.ts";

/** Text that arrives in pieces, given back line by line as each is full. */
export class Stream {
  readonly spanId: string;
  #kind: "text" | "reasoning" | undefined;
  #rest = "";

  constructor(spanId: string) {
    this.spanId = spanId;
  }

  /** The lines that a piece completes, each with the kind of text it is. */
  push(kind: "text" | "reasoning", piece: string, columns: number): readonly StreamedLine[] {
    const before = this.#kind !== undefined && this.#kind !== kind ? this.end() : [];
    this.#kind = kind;
    const text = this.#rest + neutralize(piece);
    const lines = wrap(text, columns);
    // A space at the end is where the next word begins.
    const tail = / +$/u.exec(text)?.[0] ?? "";
    this.#rest = (lines.at(-1) ?? "") + tail;
    return [...before, ...lines.slice(0, -1).map((line) => ({ kind, line }))];
  }

  /** The line that is not full. */
  end(): readonly StreamedLine[] {
    const line = this.#rest.trimEnd();
    this.#rest = "";
    return line === "" || this.#kind === undefined ? [] : [{ kind: this.#kind, line }];
  }
}

/** One line of streamed text. */
export interface StreamedLine {
  readonly kind: "text" | "reasoning";
  readonly line: string;
}
