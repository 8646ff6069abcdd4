import type {
  PluginDefinition,
  PluginKind,
  PluginPackage,
} from "../contracts/plugin-definition.ts";
import type { Found, InstalledPackage, PluginSource } from "./plugin-source.ts";

interface Known {
  readonly source: PluginSource;
  readonly found: Map<string, Found<PluginKind>>;
  /** Every id of a kind, and every short form of it. */
  readonly names: Map<PluginKind, ReadonlySet<string>>;
}

/**
 * Plugins that were looked up, by kind and id.
 *
 * A pass of the compiler is synchronous: it asks here, and what it lacks is remembered as wanted, loaded, and the pass
 * is repeated. Each round loads one more level of the spec, so the rounds end.
 */
export class PluginTable {
  readonly #known: Known;
  readonly #wanted = new Map<string, { readonly kind: PluginKind; readonly id: string }>();
  readonly #joined = new Map<string, PluginTable>();

  constructor(source: PluginSource | PluginTable) {
    this.#known =
      source instanceof PluginTable
        ? source.#known
        : { source, found: new Map(), names: new Map() };
  }

  /** What is known of a plugin; undefined where it must be loaded first. */
  find<K extends PluginKind>(kind: K, id: string): Found<K> | undefined {
    const key = `${kind} ${id}`;
    const found = this.#known.found.get(key);
    if (found === undefined) this.#wanted.set(key, { kind, id });
    return found as Found<K> | undefined;
  }

  /** Whether an id, or a short form of it, names a plugin of a kind. */
  has(kind: PluginKind, id: string): boolean {
    const { names, source } = this.#known;
    const ofKind = names.get(kind) ?? new Set(source.ids(kind).flatMap(formsOf));
    names.set(kind, ofKind);
    return ofKind.has(id);
  }

  /** Every id of a kind, sorted. */
  ids(kind: PluginKind): readonly string[] {
    return this.#known.source.ids(kind);
  }

  /** Looks for a package below a project root. */
  installed(name: string, root: string): InstalledPackage | undefined {
    return this.#known.source.installed?.(name, root);
  }

  /** The table with the plugins of further packages; the same one for the same packages. */
  joined(packages: readonly PluginPackage[]): PluginTable {
    const { source } = this.#known;
    const key = packages.map(({ name }) => name).join(" ");
    const table = this.#joined.get(key) ?? new PluginTable(source.joined?.(packages) ?? source);
    this.#joined.set(key, table);
    return table;
  }

  /** Every definition that was found, those of joined packages among them. */
  definitions(): readonly PluginDefinition[] {
    const own = [...this.#known.found.values()].flatMap((found) =>
      found.status === "found" ? [found.definition] : [],
    );
    return [...own, ...[...this.#joined.values()].flatMap((table) => table.definitions())];
  }

  /** Loads everything that was asked for and not known; false when there was nothing. */
  async loadWanted(): Promise<boolean> {
    const joined = await Promise.all([...this.#joined.values()].map((table) => table.loadWanted()));
    return (await this.#loadOwn()) || joined.includes(true);
  }

  async #loadOwn(): Promise<boolean> {
    const { source, found } = this.#known;
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const results = await Promise.all(wanted.map(([, { kind, id }]) => source.find(kind, id)));
    for (const [index, result] of results.entries()) found.set(wanted[index]?.[0] ?? "", result);
    return wanted.length > 0;
  }
}

/** An id and its short forms: `a/b` is also called `b`. */
function formsOf(id: string): readonly string[] {
  const parts = id.split("/");
  return parts.map((_, index) => parts.slice(index).join("/"));
}
