import type { StagePatch } from "../spec/document/lay-over.ts";
import { textOf } from "../spec/document/node-text.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { MapEntry } from "../spec/text/spec-node.ts";
import { patchStages } from "./stage-patches.ts";
import { flattenStages, type ReadStage, type StageTree } from "./stage-tree.ts";

/**
 * Applies what overlays and extending files say of stages to the stages of a spec, and to those of the strategies that no
 * stage is expanded from.
 */
export function patchTree(
  { stages, unused }: StageTree,
  patches: readonly StagePatch[],
  diagnostics: Diagnostics,
): StageTree {
  if (patches.length === 0) return { stages, unused };
  const main = stagesById(stages);
  const apart = [...unused].map(([name, one]) => ({ name, one, ids: stagesById(one.stages) }));
  const isApart = (id: string): boolean => !main.has(id) && apart.some(({ ids }) => ids.has(id));
  const meant = patches.map((patch) =>
    narrowed(patch, (id) => {
      const stage = main.get(id);
      if (stage !== undefined) return reaches(patch, stage);
      // What it meant may be gone with a strategy that a layer above says anew.
      return patch.isEnded !== true && (patch.renewed?.size ?? 0) === 0 && !isApart(id);
    }),
  );
  const patchApart = (
    own: readonly ReadStage[],
    ids: ReadonlyMap<string, ReadStage>,
  ): readonly ReadStage[] => {
    const isOwn = (patch: StagePatch, id: string): boolean => {
      const stage = main.has(id) ? undefined : ids.get(id);
      return stage !== undefined && reaches(patch, stage);
    };
    const said = patches.map((patch) => narrowed(sound(patch), (id) => isOwn(patch, id)));
    return patchStages(own, said, diagnostics);
  };
  return {
    stages: patchStages(stages, meant, diagnostics),
    unused: new Map(
      apart.map(({ name, one, ids }) => [name, { ...one, stages: patchApart(one.stages, ids) }]),
    ),
  };
}

function stagesById(stages: readonly ReadStage[]): ReadonlyMap<string, ReadStage> {
  return new Map(flattenStages(stages).map((stage) => [stage.id, stage]));
}

/** Whether the stage was there when the patch was said. */
function reaches({ isEnded, renewed }: StagePatch, { under }: ReadStage): boolean {
  return under === undefined ? isEnded !== true : renewed?.has(under) !== true;
}

/** A patch without what has the wrong form, which is told with the stages of the spec. */
function sound({ changed, removed, ...rest }: StagePatch): StagePatch {
  return {
    ...rest,
    ...(changed?.value.kind === "map" ? { changed } : {}),
    ...(removed?.value.kind === "list" ? { removed } : {}),
  };
}

/** A patch without what it says of some stages; what is no map or list is told where it is applied. */
function narrowed(patch: StagePatch, isMeant: (id: string) => boolean): StagePatch {
  const { changed, removed, ...rest } = patch;
  return {
    ...rest,
    ...(changed === undefined ? {} : { changed: withStages(changed, isMeant) }),
    ...(removed === undefined ? {} : { removed: withStages(removed, isMeant) }),
  };
}

function withStages(said: MapEntry, isMeant: (id: string) => boolean): MapEntry {
  const { value } = said;
  if (value.kind === "map") {
    const entries = new Map([...value.entries].filter(([id]) => isMeant(id)));
    return { ...said, value: { ...value, entries } };
  }
  if (value.kind === "scalar") return said;
  const items = value.items.filter((item) => isMeant(textOf(item) ?? ""));
  return { ...said, value: { ...value, items } };
}
