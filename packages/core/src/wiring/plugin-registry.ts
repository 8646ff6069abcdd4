import type { Found, InstalledPackage, PluginSource } from "../compile/plugin-source.ts";
import type {
  DefinitionByKind,
  PluginEntry,
  PluginKind,
  PluginPackage,
} from "../contracts/plugin-definition.ts";
import { messageOf } from "../errors/loopwright-error.ts";
import { definitionFault } from "./definition-fault.ts";
import { nearestNames } from "../spec/text/suggest.ts";
import { installedPackage } from "./spec-packages.ts";

/** One plugin as `loopwright plugins` lists it. */
export interface ListedPlugin {
  readonly kind: PluginKind;
  readonly id: string;
  readonly package: string;
  readonly profiles: readonly string[];
}

interface Registered {
  readonly package: string;
  readonly entry: PluginEntry;
}

/** Every plugin of the installed packages, by kind and id; code is loaded when one is asked for, once. */
export class PluginRegistry implements PluginSource {
  readonly #byKind = new Map<PluginKind, Map<string, Registered[]>>();
  readonly #loaded: Map<PluginEntry, Promise<unknown>>;
  readonly #packages: readonly PluginPackage[];
  readonly #broken: ReadonlyMap<string, string>;

  constructor(
    packages: readonly PluginPackage[],
    broken: ReadonlyMap<string, string> = new Map(),
    loaded: Map<PluginEntry, Promise<unknown>> = new Map(),
  ) {
    this.#packages = packages;
    this.#broken = broken;
    this.#loaded = loaded;
    for (const { name, entries } of packages) for (const entry of entries) this.#add(name, entry);
  }

  /** Packages whose manifest can't be used, with the reason. */
  get broken(): ReadonlyMap<string, string> {
    return this.#broken;
  }

  ids(kind: PluginKind): readonly string[] {
    return [...(this.#byKind.get(kind)?.keys() ?? [])].toSorted();
  }

  installed(name: string, root: string): InstalledPackage | undefined {
    return installedPackage(name, root);
  }

  /** Shares with this registry what is loaded already. */
  joined(packages: readonly PluginPackage[]): PluginRegistry {
    const known = new Set(this.#packages.map(({ name }) => name));
    const further = packages.filter(({ name }) => !known.has(name));
    return new PluginRegistry([...this.#packages, ...further], this.#broken, this.#loaded);
  }

  list(): readonly ListedPlugin[] {
    const all = [...this.#byKind.values()].flatMap((ids) => [...ids.values()].flat());
    const rows = all.map(({ package: from, entry }) => ({
      kind: entry.kind,
      id: entry.id,
      package: from,
      profiles: entry.profiles ?? [],
    }));
    const unique = new Map(rows.map((row) => [`${row.kind} ${row.id} ${row.package}`, row]));
    return [...unique.values()].toSorted(
      (a, b) => a.kind.localeCompare(b.kind) || a.id.localeCompare(b.id),
    );
  }

  async find<K extends PluginKind>(kind: K, id: string): Promise<Found<K>> {
    const matches = this.#match(kind, id);
    const [match] = matches;
    if (match === undefined)
      return {
        status: "missing",
        near: nearestNames(id, this.ids(kind)),
        otherKinds: this.#otherKinds(kind, id),
      };
    if (matches.length > 1)
      return { status: "ambiguous", ids: matches.map((one) => `${one.entry.id} (${one.package})`) };
    try {
      const definition = (await this.#load(match.entry)) as DefinitionByKind[K];
      const fault = definitionFault(definition, match.entry);
      if (fault !== undefined) return { status: "broken", package: match.package, message: fault };
      return { status: "found", id: match.entry.id, package: match.package, definition };
    } catch (thrown) {
      return { status: "broken", package: match.package, message: messageOf(thrown) };
    }
  }

  #add(from: string, entry: PluginEntry): void {
    const ids = this.#byKind.get(entry.kind) ?? new Map<string, Registered[]>();
    this.#byKind.set(entry.kind, ids);
    for (const id of new Set([entry.id, ...(entry.profiles ?? [])])) {
      ids.set(id, [...(ids.get(id) ?? []), { package: from, entry }]);
    }
  }

  /** The exact id, else every id that ends in it after a slash. */
  #match(kind: PluginKind, id: string): readonly Registered[] {
    const ids = this.#byKind.get(kind);
    const exact = ids?.get(id);
    if (exact !== undefined) return exact;
    return [...(ids ?? [])]
      .filter(([full]) => full.endsWith(`/${id}`))
      .flatMap(([, registered]) => registered);
  }

  #otherKinds(kind: PluginKind, id: string): readonly PluginKind[] {
    return [...this.#byKind.keys()].filter(
      (other) => other !== kind && this.#match(other, id).length > 0,
    );
  }

  #load(entry: PluginEntry): Promise<unknown> {
    const known = this.#loaded.get(entry);
    if (known !== undefined) return known;
    const loading = entry.load();
    this.#loaded.set(entry, loading);
    return loading;
  }
}
