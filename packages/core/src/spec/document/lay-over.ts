import type { Diagnostics } from "../text/diagnostic.ts";
import type { MapEntry, MapNode } from "../text/spec-node.ts";
import { applyPatch, inOverlay } from "./apply-patch.ts";
import { without } from "./named-entries.ts";
import { textOf } from "./node-text.ts";

/** What one layer says of stages by their ids: they are known only when all layers are in place. */
export interface StagePatch {
  readonly overlay?: string;
  /** `stages`: options and settings, by stage id. */
  readonly changed?: MapEntry;
  /** `stages-`: the ids of stages that go. */
  readonly removed?: MapEntry;
  /** True where a layer above says `strategy`: it reaches stages of named strategies alone. */
  readonly isEnded?: true;
  /** The names of `strategies` that layers above say anew: it reaches no stage of those. */
  readonly renewed?: ReadonlySet<string>;
}

/** A spec as some layers make it. */
export interface Layered {
  readonly node: MapNode;
  readonly stagePatches: readonly StagePatch[];
}

/** The keys of a patch that name stages. */
export const stageKeys: readonly string[] = ["stages", "stages-"];

/**
 * Lays a patch over what the layers below make. A `strategy` ends what they say of its stages, for it brings stages of its
 * own; what they say of stages of a named strategy ends where that is said anew.
 */
export function layOver(
  below: Layered,
  patch: MapNode,
  settings: { readonly overlay?: string; readonly diagnostics: Diagnostics },
): Layered {
  const { overlay } = settings;
  const node = applyPatch(below.node, without(patch, stageKeys), settings);
  const [changed, removed] = stageKeys.map((key) => marked(patch.entries.get(key), overlay));
  const kept = keptPatches(below, patch);
  if (changed === undefined && removed === undefined) return { node, stagePatches: kept };
  const own: StagePatch = {
    ...(overlay === undefined ? {} : { overlay }),
    ...(changed === undefined ? {} : { changed }),
    ...(removed === undefined ? {} : { removed }),
  };
  return { node, stagePatches: [...kept, own] };
}

function keptPatches({ node, stagePatches }: Layered, patch: MapNode): readonly StagePatch[] {
  const isEnded = patch.entries.has("strategy");
  if (isEnded && !node.entries.has("strategies")) return [];
  const names = namesSaid(patch);
  if (!isEnded && names.length === 0) return stagePatches;
  return stagePatches.map((one) => ({
    ...one,
    ...(isEnded ? { isEnded } : {}),
    renewed: new Set([...(one.renewed ?? []), ...names]),
  }));
}

/** The names of `strategies` that a patch says anew or takes away. */
function namesSaid(patch: MapNode): readonly string[] {
  const said = patch.entries.get("strategies")?.value;
  const gone = patch.entries.get("strategies-")?.value;
  return [
    ...(said?.kind === "map" ? said.entries.keys() : []),
    ...(gone?.kind === "list" ? gone.items.flatMap((item) => textOf(item) ?? []) : []),
  ];
}

function marked(said: MapEntry | undefined, overlay: string | undefined): MapEntry | undefined {
  if (said === undefined || overlay === undefined) return said;
  return { ...said, value: inOverlay(said.value, overlay) };
}
