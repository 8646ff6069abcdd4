import type { Diagnostics } from "../text/diagnostic.ts";
import type { MapEntry, MapNode } from "../text/spec-node.ts";
import { applyPatch, inOverlay } from "./apply-patch.ts";
import { without } from "./named-entries.ts";

/** What one layer says of stages by their ids: they are known only when all layers are in place. */
export interface StagePatch {
  readonly overlay?: string;
  /** `stages`: options and settings, by stage id. */
  readonly changed?: MapEntry;
  /** `stages-`: the ids of stages that go. */
  readonly removed?: MapEntry;
}

/** A spec as some layers make it. */
export interface Layered {
  readonly node: MapNode;
  readonly stagePatches: readonly StagePatch[];
}

/** The keys of a patch that name stages. */
export const stageKeys: readonly string[] = ["stages", "stages-"];

/** Lays a patch over what the layers below make; a `strategy` ends what they say of stages, for it brings stages of its own. */
export function layOver(
  below: Layered,
  patch: MapNode,
  settings: { readonly overlay?: string; readonly diagnostics: Diagnostics },
): Layered {
  const { overlay } = settings;
  const node = applyPatch(below.node, without(patch, stageKeys), settings);
  const [changed, removed] = stageKeys.map((key) => marked(patch.entries.get(key), overlay));
  const kept = patch.entries.has("strategy") ? [] : below.stagePatches;
  if (changed === undefined && removed === undefined) return { node, stagePatches: kept };
  const own: StagePatch = {
    ...(overlay === undefined ? {} : { overlay }),
    ...(changed === undefined ? {} : { changed }),
    ...(removed === undefined ? {} : { removed }),
  };
  return { node, stagePatches: [...kept, own] };
}

function marked(said: MapEntry | undefined, overlay: string | undefined): MapEntry | undefined {
  if (said === undefined || overlay === undefined) return said;
  return { ...said, value: inOverlay(said.value, overlay) };
}
