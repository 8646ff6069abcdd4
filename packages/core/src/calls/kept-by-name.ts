import { LRUCache } from "lru-cache";

/**
 * Shared things by name, without end: those that were used last are kept, and the others as long as somebody holds them. So
 * nothing that is in use is ever made twice.
 */
export class KeptByName<T extends object> {
  readonly #recent: LRUCache<string, T>;
  /** From so many names on it is looked which of them are still held. */
  #crowd: number;
  #all = new Map<string, WeakRef<T>>();

  constructor(most: number) {
    this.#crowd = 2 * most;
    this.#recent = new LRUCache({ max: most });
  }

  /** How many names are known. */
  get size(): number {
    return this.#all.size;
  }

  /** What has the name; made where nothing has. */
  get(name: string, make: () => T): T {
    const known = this.#recent.get(name) ?? this.#all.get(name)?.deref();
    const kept = known ?? make();
    this.#recent.set(name, kept);
    if (known === undefined) {
      if (this.#all.size >= this.#crowd) this.#forget();
      this.#all.set(name, new WeakRef(kept));
    }
    return kept;
  }

  #forget(): void {
    this.#all = new Map([...this.#all].filter(([, one]) => one.deref() !== undefined));
    this.#crowd = Math.max(this.#crowd, 2 * this.#all.size);
  }
}
