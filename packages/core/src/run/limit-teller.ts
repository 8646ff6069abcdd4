import type { ErrorCode } from "../errors/error-codes.ts";
import type { LimitError } from "../errors/loopwright-error.ts";
import { limitError, type LimitOwner } from "./limit-error.ts";

/** Told once for every limit that is reached. */
export type OnLimit = (limit: string, soft: boolean, used: number, max: number) => void;

/** Tells each limit of one ledger once, and knows the errors it was told by. */
export class LimitTeller {
  readonly #owner: LimitOwner;
  readonly #onLimit: OnLimit;
  readonly #told = new Map<string, number>();
  readonly #errors = new WeakSet<object>();

  constructor(owner: LimitOwner, onLimit: OnLimit) {
    this.#owner = owner;
    this.#onLimit = onLimit;
  }

  /** Once for each limit, and again where its maximum has changed in between. */
  tell(limit: string, soft: boolean, used: number, max: number): void {
    const mark = `${limit}:${soft}`;
    if (this.#told.get(mark) === max) return;
    this.#told.set(mark, max);
    this.#onLimit(limit, soft, used, max);
  }

  /** Tells that a limit is reached; returns its error. */
  reached(limit: string, code: ErrorCode, used: number, max: number): LimitError {
    this.tell(limit, false, used, max);
    const error = limitError(code, { limit, used, max, owner: this.#owner });
    this.#errors.add(error);
    return error;
  }

  /** True for an error that was made here. */
  made(thrown: unknown): boolean {
    return this.#errors.has(thrown as object);
  }
}
