import { ReadFault } from "./read-fault.ts";

/** Counts the work of one reading, since code that does not wait can't be stopped from outside. */
export class StepBudget {
  #spent = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Counts steps; a {@link ReadFault} ends the reading when none are left. */
  spend(steps: number): void {
    this.#spent += steps;
    if (this.#spent > this.#most)
      throw new ReadFault("timeout", "the text takes too much work to read");
  }
}
