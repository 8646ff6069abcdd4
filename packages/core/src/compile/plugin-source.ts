import type { DefinitionByKind, PluginKind } from "../contracts/plugin-definition.ts";

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

/** Looks plugins up by kind and id; a short id resolves when unique. For providers, an id may be a profile's. */
export interface PluginSource {
  find<K extends PluginKind>(kind: K, id: string): Promise<Found<K>>;
  /** All ids of a kind, sorted. */
  ids(kind: PluginKind): readonly string[];
}
