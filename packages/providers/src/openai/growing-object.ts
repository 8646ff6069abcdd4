/** Text that becomes a JSON object piece by piece; each character is looked at once. */
export class GrowingObject {
  #text = "";
  #depth = 0;
  #start = 0;
  #isInString = false;
  #isEscaped = false;
  #hasOther = false;
  /** Where each object begins and ends. */
  readonly #ranges: (readonly [number, number])[] = [];

  get text(): string {
    return this.#text;
  }

  /** Whether the text is one object whose braces are closed, and nothing else. */
  get isComplete(): boolean {
    return this.#depth === 0 && this.#ranges.length === 1 && !this.#hasOther;
  }

  /** The objects that the text is made of, where it holds nothing else but blanks between them; else none. */
  get objects(): readonly string[] {
    if (this.#depth > 0 || this.#hasOther) return [];
    return this.#ranges.map(([start, end]) => this.#text.slice(start, end));
  }

  add(piece: string): void {
    const from = this.#text.length;
    this.#text += piece;
    for (let at = 0; at < piece.length; at++) this.#see(piece[at] ?? "", from + at);
  }

  #see(character: string, at: number): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === "\\") this.#isEscaped = true;
      else if (character === '"') this.#isInString = false;
    } else if (character === "{") {
      if (this.#depth === 0) this.#start = at;
      this.#depth += 1;
    } else if (this.#depth === 0) {
      if (character.trim() !== "") this.#hasOther = true;
    } else if (character === '"') {
      this.#isInString = true;
    } else if (character === "}") {
      this.#depth -= 1;
      if (this.#depth === 0) this.#ranges.push([this.#start, at + 1]);
    }
  }
}
