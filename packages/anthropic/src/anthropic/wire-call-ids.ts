/**
 * The ids of tool calls as the protocol takes them: letters, digits, `_` and `-`, no two alike in a conversation.
 *
 * Other vendors make ids of other characters, and use one again in a later message. A conversation is read from its start
 * each time, so that a call gets the same id in every request.
 */
export class WireCallIds {
  readonly #used = new Set<string>();
  /** The call that last had an id of the history. */
  readonly #latest = new Map<string, string>();

  /** The id of a call that begins. */
  open(id: string): string {
    const plain = id.replaceAll(/[^a-zA-Z0-9_-]/g, "_") || "call";
    let wire = plain;
    for (let count = 2; this.#used.has(wire); count += 1) wire = `${plain}_${count}`;
    this.#used.add(wire);
    this.#latest.set(id, wire);
    return wire;
  }

  /** The id of the call that a result belongs to; undefined where there was none. */
  of(id: string): string | undefined {
    return this.#latest.get(id);
  }
}
