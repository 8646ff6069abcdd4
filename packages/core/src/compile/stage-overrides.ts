import { setValues, type SetValue } from "../spec/document/apply-overrides.ts";
import { patchKey } from "../spec/document/patch-key.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { faultOfSlotPath, type SlotFault } from "./slot-options.ts";
import { stageCalled, withOptions } from "./stage-patches.ts";
import { flattenStages, type ReadStage } from "./stage-tree.ts";

/** Sets values over stages, by their ids (`stages.react.maxSteps`). */
export function overrideStages(
  stages: readonly ReadStage[],
  values: readonly SetValue[],
  diagnostics: Diagnostics,
): readonly ReadStage[] {
  const flat = flattenStages(stages);
  const usable = values.filter((value) => isUsable(value, flat, diagnostics));
  const apply = (stage: ReadStage): ReadStage => {
    const own = usable
      .filter(({ path }) => path[1] === stage.id)
      .map(({ path, node }) => ({ path: path.slice(2), node }));
    const changed =
      own.length === 0
        ? stage
        : withOptions(stage, (options) => setValues(options, own, diagnostics));
    const slots = [...stage.slots].map(([name, children]) => [name, children.map(apply)] as const);
    return { ...changed, slots: new Map(slots) };
  };
  return usable.length === 0 ? stages : stages.map(apply);
}

function isUsable(
  { path, node }: SetValue,
  stages: readonly ReadStage[],
  diagnostics: Diagnostics,
): boolean {
  const [, id = "", ...keys] = path;
  const stage = stageCalled(id, node, stages, diagnostics);
  if (stage === undefined) return false;
  const fault = faultOf(stage, path.join("."), keys);
  if (fault === undefined) return true;
  diagnostics.error("LW-SPEC-PATCH", node, fault.message, fault.repair);
  return false;
}

function faultOf(stage: ReadStage, path: string, keys: readonly string[]): SlotFault | undefined {
  const [option] = keys;
  if (option === undefined || option === "id") {
    const message = `\`${path}\` cannot be set: only options and settings of a stage can`;
    return { message, repair: `name an option: stages.${stage.id}.OPTION` };
  }
  return isSlot(stage, option) ? faultOfSlotPath(stage, keys) : undefined;
}

function isSlot({ definition }: ReadStage, key: string): boolean {
  return Object.hasOwn(definition.slots, patchKey(key).key);
}
