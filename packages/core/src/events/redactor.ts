import type { Json } from "../contracts/json.ts";

/** What stands where a secret was. */
export const REDACTED = "[redacted]";

/** Values shorter than this are not secrets worth hiding: replacing them would garble plain text. */
const minSecretLength = 6;

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
    const escaped = JSON.stringify(secret).slice(1, -1);
    this.#secrets = [...new Set([...this.#secrets, secret, escaped])].toSorted(
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

  /** Returns the data itself where it holds no secret. */
  data(data: Json): Json {
    if (!this.isNeeded) return data;
    if (typeof data === "string") return this.text(data);
    if (Array.isArray(data)) return data.map((item) => this.data(item as Json));
    if (typeof data !== "object" || data === null) return data;
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [this.text(key), this.data(value)]),
    );
  }

  /** A filter for text that arrives in pieces: holds back a tail that may be the start of a secret. */
  stream(): { push(piece: string): string; end(): string } {
    let held = "";
    return {
      push: (piece) => {
        held = this.text(held + piece);
        const keep = this.#tailThatMayBeSecret(held);
        const ready = held.slice(0, held.length - keep);
        held = held.slice(held.length - keep);
        return ready;
      },
      end: () => {
        const ready = held;
        held = "";
        return ready;
      },
    };
  }

  #tailThatMayBeSecret(text: string): number {
    for (let length = Math.min(text.length, this.#longest - 1); length > 0; length--) {
      const tail = text.slice(text.length - length);
      if (this.#secrets.some((secret) => secret.startsWith(tail))) return length;
    }
    return 0;
  }
}
