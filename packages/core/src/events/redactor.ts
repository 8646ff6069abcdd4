import type { Json } from "../contracts/json.ts";

/** What stands where a secret was. */
const REDACTED = "[redacted]";

/** Values shorter than this are not secrets worth hiding: replacing them would garble plain text. */
const minSecretLength = 6;

/** A list without secrets, and the secrets that were known when it was looked at. */
export interface CleanList<T extends object = object> {
  readonly items: readonly T[];
  readonly secrets: readonly string[];
}

/** Removes secret values from text and data before anything leaves core. */
export class Redactor {
  #secrets: readonly string[] = [];
  #longest = 0;

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  /** Hides one more value from here on. */
  add(secret: string): void {
    if (secret.length < minSecretLength || this.#secrets.includes(secret)) return;
    const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
    this.#secrets = [...new Set([...this.#secrets, ...forms])].toSorted(
      (a, b) => b.length - a.length,
    );
    this.#longest = this.#secrets[0]?.length ?? 0;
  }

  get isNeeded(): boolean {
    return this.#longest > 0;
  }

  text(text: string): string {
    let clean = text;
    for (const secret of this.#secrets) {
      if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED);
    }
    return clean;
  }

  /** Returns the data itself, and each part of it, where it holds no secret. */
  data(data: Json): Json {
    // Looked at before anything is copied: nearly all data is clean.
    return this.#holdsSecret(data) ? this.#cleaned(data) : data;
  }

  /** The same for a list that grows from call to call: what stood in the last one is not looked at again, so items must never change. */
  list<T extends object>(items: readonly T[], last?: CleanList): CleanList<T> {
    const secrets = this.#secrets;
    const known: readonly object[] = last?.secrets === secrets ? last.items : [];
    const isClean = (item: T, index: number): boolean =>
      item === known[index] || !this.#holdsSecret(item);
    if (items.every(isClean)) return { items, secrets };
    return {
      items: items.map((item) => this.data(item as unknown as Json) as unknown as T),
      secrets,
    };
  }

  #holdsSecret(data: unknown): boolean {
    if (!this.isNeeded) return false;
    if (typeof data === "string") {
      for (const secret of this.#secrets) if (data.includes(secret)) return true;
      return false;
    }
    if (typeof data !== "object" || data === null) return false;
    if (Array.isArray(data)) {
      for (const item of data as readonly unknown[]) if (this.#holdsSecret(item)) return true;
      return false;
    }
    const object = data as Readonly<Record<string, unknown>>;
    for (const key of Object.keys(object))
      if (this.#holdsSecret(key) || this.#holdsSecret(object[key])) return true;
    return false;
  }

  #cleaned(data: Json): Json {
    if (typeof data === "string") return this.text(data);
    if (typeof data !== "object" || data === null) return data;
    if (Array.isArray(data)) return data.map((item: Json) => this.data(item));
    const entries = Object.entries(data);
    return Object.fromEntries(entries.map(([key, value]) => [this.text(key), this.data(value)]));
  }

  /** A filter for text that arrives in pieces: holds back a tail that may be the start of a secret. */
  stream(): { push(piece: string): string; end(): string } {
    let held = "";
    return {
      push: (piece) => {
        held += piece;
        const cut = this.#cutBefore(held, held.length - this.#tailThatMayBeSecret(held));
        const ready = this.text(held.slice(0, cut));
        held = held.slice(cut);
        return ready;
      },
      end: () => {
        const ready = this.text(held);
        held = "";
        return ready;
      },
    };
  }

  /** The last place at or before `cut` that lies inside no secret. */
  #cutBefore(text: string, cut: number): number {
    for (const secret of this.#secrets) {
      const from = Math.max(0, cut - secret.length + 1);
      const at = text.indexOf(secret, from);
      if (at >= 0 && at < cut && at + secret.length > cut) return this.#cutBefore(text, at);
    }
    return cut;
  }

  #tailThatMayBeSecret(text: string): number {
    for (let length = Math.min(text.length, this.#longest - 1); length > 0; length--) {
      const tail = text.slice(text.length - length);
      if (this.#secrets.some((secret) => secret.startsWith(tail))) return length;
    }
    return 0;
  }
}
