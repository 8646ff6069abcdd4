import type { Json } from "../contracts/json.ts";

/** What stands where a secret was. */
const REDACTED = "[redacted]";

/** Values shorter than this are not secrets worth hiding: replacing them would garble plain text. */
const minSecretLength = 6;

/** Removes secret values from text and data before anything leaves core. */
export class Redactor {
  #secrets: readonly string[] = [];
  #longest = 0;
  /** Parts of growing lists that were looked at and hold no secret. */
  #clean = new WeakSet<object>();

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
    this.#clean = new WeakSet();
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
    if (!this.isNeeded) return data;
    if (typeof data === "string") return this.text(data);
    if (typeof data !== "object" || data === null) return data;
    if (Array.isArray(data)) {
      const items = data.map((item: Json) => this.data(item));
      return items.every((item, index) => item === data[index]) ? data : items;
    }
    const entries = Object.entries(data);
    const clean = entries.map(([key, value]) => [this.text(key), this.data(value)] as const);
    const isClean = clean.every(
      ([key, value], index) => key === entries[index]?.[0] && value === entries[index]?.[1],
    );
    return isClean ? data : Object.fromEntries(clean);
  }

  /** The same for a list that grows from call to call: an item that was clean once is not looked at again, so items must never change. */
  list<T extends object>(items: readonly T[]): readonly T[] {
    if (!this.isNeeded) return items;
    const cleaned = items.map((item) => {
      if (this.#clean.has(item)) return item;
      const clean = this.data(item as unknown as Json) as unknown as T;
      this.#clean.add(clean);
      return clean;
    });
    return cleaned.every((item, index) => item === items[index]) ? items : cleaned;
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
