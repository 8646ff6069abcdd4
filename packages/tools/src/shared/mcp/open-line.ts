/** The lines of a stream that comes in pieces; each piece is looked at once, however long its line gets. */
export class OpenLine {
  #pieces: string[] = [];
  #length = 0;

  /** The characters of the line that has not ended yet. */
  get length(): number {
    return this.#length;
  }

  /** Takes a piece, and gives the lines that end in it. */
  push(piece: string): readonly string[] {
    const lines = piece.split("\n");
    const rest = lines.pop() ?? "";
    const [first, ...others] = lines;
    const ended = first === undefined ? [] : [this.#pieces.join("") + first, ...others];
    if (first !== undefined) this.clear();
    if (rest !== "") this.#pieces.push(rest);
    this.#length += rest.length;
    return ended;
  }

  /** Forgets the line that has not ended yet. */
  clear(): void {
    this.#pieces = [];
    this.#length = 0;
  }
}
