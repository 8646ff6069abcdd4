const MAX_RUNS = 1_000;

/** Keeps something for each run, for the 1,000 runs used last. */
export class PerRun<T> {
  readonly #create: () => T;
  readonly #kept = new Map<string, T>();

  constructor(create: () => T) {
    this.#create = create;
  }

  /** What is kept for the run, made on first use. */
  of(runId: string): T {
    const kept = this.#kept.get(runId) ?? this.#create();
    this.#kept.delete(runId);
    this.#kept.set(runId, kept);
    if (this.#kept.size > MAX_RUNS) {
      const oldest = this.#kept.keys().next();
      if (oldest.done !== true) this.#kept.delete(oldest.value);
    }
    return kept;
  }
}
