/** Characters of one line that are shown. */
const MAX_SHOWN = 300;

/** What is known of one line of a file. */
export interface SearchedLine {
  readonly path: string;
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
  /** True where only the start of the line was searched. */
  readonly isCut: boolean;
}

/** Collects matches with the lines around them, up to a count and a number of bytes. */
export class Matches {
  readonly #maxMatches: number;
  readonly #maxBytes: number;
  readonly #context: number;
  readonly #shown: string[] = [];
  /** Lines before the next match, oldest first. */
  #before: SearchedLine[] = [];
  #afterLeft = 0;
  #lastShown = 0;
  #count = 0;
  #bytes = 0;
  #longLines = 0;
  #isFull = false;

  constructor(limits: {
    readonly maxMatches: number;
    readonly maxBytes: number;
    readonly context: number;
  }) {
    this.#maxMatches = limits.maxMatches;
    this.#maxBytes = limits.maxBytes;
    this.#context = limits.context;
  }

  /** True once a line was left out: nothing more is taken. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Takes the next line of a file. */
  add(line: SearchedLine): void {
    if (this.#isFull) return;
    if (line.isCut) this.#longLines += 1;
    if (line.isMatch) {
      if (this.#count >= this.#maxMatches) {
        this.#isFull = true;
        return;
      }
      this.#count += 1;
      const first = this.#before[0] ?? line;
      const isGap = this.#lastShown > 0 && first.number > this.#lastShown + 1;
      if (isGap && this.#context > 0) this.#show("--");
      for (const earlier of this.#before) this.#showLine(earlier);
      this.#before = [];
      this.#showLine(line);
      this.#afterLeft = this.#context;
    } else if (this.#afterLeft > 0) {
      this.#afterLeft -= 1;
      this.#showLine(line);
    } else if (this.#context > 0) {
      this.#before.push(line);
      if (this.#before.length > this.#context) this.#before.shift();
    }
  }

  /** The next line is of another file. */
  endFile(): void {
    this.#before = [];
    this.#afterLeft = 0;
    this.#lastShown = 0;
  }

  /** Everything found; a last line says where the limit stopped it, or that there is nothing. */
  text(): string {
    const notes = [
      this.#count === 0 && !this.#isFull ? "[no match]" : "",
      this.#isFull
        ? `[stopped after ${this.#count} matches; narrow the search with path, glob or a longer text]`
        : "",
      this.#longLines > 0 ? `[${this.#longLines} very long lines are searched at their start]` : "",
    ];
    return [...this.#shown, ...notes.filter((note) => note !== "")].join("\n");
  }

  #showLine({ path, number, text, isMatch }: SearchedLine): void {
    const line = text.replace(/\r$/, "");
    const cut = line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}… [cut]` : line;
    const sign = isMatch ? ":" : "-";
    this.#show(`${path}${sign}${number}${sign} ${cut}`);
    this.#lastShown = number;
  }

  #show(line: string): void {
    this.#bytes += Buffer.byteLength(line) + 1;
    if (this.#bytes > this.#maxBytes + 1) this.#isFull = true;
    if (!this.#isFull) this.#shown.push(line);
  }
}
