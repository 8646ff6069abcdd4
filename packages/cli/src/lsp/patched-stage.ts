import type { KeyCatalogue, KeyInfo, StageSite, Step } from "@loopwright/core";
import type { Cursor } from "./cursor-place.ts";
import type { OpenSpec } from "./open-spec.ts";

/** The stage that a place in `stages: { ID: … }` changes, and the way from there. */
export function patchedStage(
  spec: OpenSpec,
  steps: readonly Step[],
): { readonly site: StageSite; readonly rest: readonly Step[] } | undefined {
  // In an extending file, or in one of the overlays or switches.
  const depth = [0, 2].find((at) => keyOf(steps[at]) === "stages");
  const id = depth === undefined ? undefined : keyOf(steps[depth + 1]);
  const site = id === undefined ? undefined : spec.checked?.index.stages.get(id);
  return depth === undefined || site === undefined
    ? undefined
    : { site, rest: steps.slice(depth + 2) };
}

/** The way to a place for the catalogue: what changes a stage says what the stage itself may say. */
export function catalogueSteps(spec: OpenSpec, steps: readonly Step[]): readonly Step[] {
  const found = patchedStage(spec, steps);
  if (found === undefined || found.rest.length === 0) return steps;
  return asStage(found.site, found.rest);
}

/** The keys that may stand at a cursor: where a stage is changed, those of its strategy. */
export function keysFor(
  spec: OpenSpec,
  { steps, entries }: Cursor,
  catalogue: KeyCatalogue,
): readonly KeyInfo[] {
  const all = catalogue.keysAt(steps, entries);
  const found = patchedStage(spec, steps);
  if (found === undefined) return all;
  const stage = catalogue.keysAt(asStage(found.site, found.rest), entries);
  // What stands in a slot is written as in the strategy itself.
  if (all.length === 0) return stage;
  const own = new Map(stage.map((info) => [info.key, info]));
  return all.flatMap((info) => {
    const known = own.get(info.key.replace(/[+-]$/u, ""));
    if (known === undefined) return [];
    return [known.key === info.key ? { ...known, isRequired: info.isRequired } : info];
  });
}

function asStage({ strategy }: StageSite, rest: readonly Step[]): readonly Step[] {
  const stage = { key: strategy, entries: new Map([[strategy, undefined]]) };
  return [{ key: "strategy", entries: new Map() }, { index: 0 }, stage, ...rest];
}

function keyOf(step: Step | undefined): string | undefined {
  return step !== undefined && "key" in step ? step.key : undefined;
}
