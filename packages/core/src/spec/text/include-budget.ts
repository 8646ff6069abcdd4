/** How many files one spec may bring in, by `extends`, `agent` and `${file:…}` together. */
export const maxIncludedFiles: number = 256;

/** How many characters these files may hold together. */
export const maxIncludedCharacters: number = 16 * 1024 * 1024;

/** How many files may extend each other in one chain. */
export const maxExtendsLength: number = 16;

/** Counts the files that one spec brings in; the same file counts each time it is put in, because each time it takes room. */
export class IncludeBudget {
  #files = 0;
  #characters = 0;
  #isSpent = false;

  /** Whether the spec brought in too much: what more it names is not read. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Takes one file of so many characters; returns why it is too much, once, and "" for every file after that. */
  take(characters: number): string | undefined {
    this.#files += 1;
    this.#characters += characters;
    const isAbove = this.#files > maxIncludedFiles || this.#characters > maxIncludedCharacters;
    if (!isAbove) return undefined;
    if (this.#isSpent) return "";
    this.#isSpent = true;
    return this.#files > maxIncludedFiles
      ? `the spec brings in more than ${maxIncludedFiles} files`
      : `the files that the spec brings in hold together more than ${maxIncludedCharacters} characters`;
  }
}

/** Says that a chain of `extends` is too long; `length` counts the files below the first. */
export function chainFault(length: number): string | undefined {
  return length > maxExtendsLength
    ? `more than ${maxExtendsLength} files extend each other in one chain`
    : undefined;
}
