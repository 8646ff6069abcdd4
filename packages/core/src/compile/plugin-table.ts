import type { PluginKind } from "../contracts/plugin-definition.ts";
import type { Found, PluginSource } from "./plugin-source.ts";

/**
 * Plugins that were looked up, by kind and id.
 *
 * A pass of the compiler is synchronous: it asks here, and what it lacks is remembered as wanted, loaded, and the pass
 * is repeated. Each round loads one more level of the spec, so the rounds end.
 */
export class PluginTable {
  readonly #source: PluginSource;
  readonly #found = new Map<string, Found<PluginKind>>();
  readonly #wanted = new Map<string, { readonly kind: PluginKind; readonly id: string }>();

  constructor(source: PluginSource) {
    this.#source = source;
  }

  /** What is known of a plugin; undefined where it must be loaded first. */
  find<K extends PluginKind>(kind: K, id: string): Found<K> | undefined {
    const key = `${kind} ${id}`;
    const found = this.#found.get(key);
    if (found === undefined) this.#wanted.set(key, { kind, id });
    return found as Found<K> | undefined;
  }

  /** Whether an id, or a short form of it, names a plugin of a kind. */
  has(kind: PluginKind, id: string): boolean {
    return this.#source.ids(kind).some((known) => known === id || known.endsWith(`/${id}`));
  }

  /** Loads everything that was asked for and not known; false when there was nothing. */
  async loadWanted(): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const results = await Promise.all(
      wanted.map(([, { kind, id }]) => this.#source.find(kind, id)),
    );
    for (const [index, found] of results.entries())
      this.#found.set(wanted[index]?.[0] ?? "", found);
    return wanted.length > 0;
  }
}
