/** Codes after which every other row would end the same way. */
const HOPELESS: ReadonlySet<string> = new Set(["provider-unauthorized", "provider-key-missing"]);

/** So many failed calls of one kind in a row are no accident of single rows. */
const MAX_IN_A_ROW = 20;

/** Sees that an endpoint is out of order, so that a long batch does not turn into dead letters. */
export class OutageWatch {
  #inARow = 0;

  /** Takes how a row ended, by the code of its failure; true where no further row should begin. */
  take(code: string | undefined): boolean {
    if (code !== undefined && HOPELESS.has(code)) return true;
    this.#inARow = code?.startsWith("provider-") === true ? this.#inARow + 1 : 0;
    return this.#inARow >= MAX_IN_A_ROW;
  }
}
