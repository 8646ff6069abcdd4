import type {
  DefinitionByKind,
  PluginKind,
  PluginPackage,
} from "../contracts/plugin-definition.ts";

/** What became of looking a plugin up. */
export type Found<K extends PluginKind> =
  | {
      readonly status: "found";
      readonly id: string;
      readonly package: string;
      readonly definition: DefinitionByKind[K];
    }
  | {
      readonly status: "missing";
      readonly near: readonly string[];
      readonly otherKinds: readonly PluginKind[];
    }
  | { readonly status: "ambiguous"; readonly ids: readonly string[] }
  | { readonly status: "broken"; readonly package: string; readonly message: string };

/** A package below a project root, as its manifest says it. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** What it provides; missing where it is no plugin package. */
  readonly plugins?: PluginPackage;
  /** Why its manifest can't be used. */
  readonly fault?: string;
}

/** Looks plugins up by kind and id; a short id resolves when unique. For providers, an id may be a profile's. */
export interface PluginSource {
  find<K extends PluginKind>(kind: K, id: string): Promise<Found<K>>;
  /** All ids of a kind, sorted. */
  ids(kind: PluginKind): readonly string[];
  /** Looks for a package below a project root; missing where the source knows no projects. */
  readonly installed?: (name: string, root: string) => InstalledPackage | undefined;
  /** The same plugins with those of further packages. */
  readonly joined?: (packages: readonly PluginPackage[]) => PluginSource;
}
