import { applyPatch } from "../spec/document/apply-patch.ts";
import type { StagePatch } from "../spec/document/lay-over.ts";
import { only, without } from "../spec/document/named-entries.ts";
import { shownValue, textOf } from "../spec/document/node-text.ts";
import { patchKey } from "../spec/document/patch-key.ts";
import { commonSettings } from "../spec/document/spec-schemas.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { MapEntry, MapNode, SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { slotOf } from "./slot-forms.ts";
import { readSlotPatch, withoutChildOptions } from "./slot-options.ts";
import { flattenStages, type ReadStage } from "./stage-tree.ts";

/**
 * Applies what overlays and extending files say of stages (`stages`, `stages-`), in order. The stages carry their ids
 * already, so that one that goes leaves the names of the others as they are.
 */
export function patchStages(
  stages: readonly ReadStage[],
  patches: readonly StagePatch[],
  diagnostics: Diagnostics,
): readonly ReadStage[] {
  let result = stages;
  for (const { changed, removed } of patches) {
    if (changed !== undefined) result = changeStages(result, changed, diagnostics);
    if (removed !== undefined) result = removeStages(result, removed, diagnostics);
  }
  return result;
}

/** Finds a stage by its id; an unknown one is reported, and one that could be meant by chance is warned of. */
export function stageCalled(
  id: string,
  at: SpecNode,
  stages: readonly ReadStage[],
  diagnostics: Diagnostics,
): ReadStage | undefined {
  const stage = stages.find((candidate) => candidate.id === id);
  if (stage === undefined) {
    const ids = stages.map((one) => one.id);
    const message = `no stage is called \`${id}\``;
    const repair = didYouMean(id, ids) ?? `stages here: ${ids.join(", ")}`;
    diagnostics.error("LW-STAGE-UNKNOWN-ID", at, message, repair);
    return undefined;
  }
  const isShared = stages.some(
    (other) =>
      other !== stage && other.strategy === stage.strategy && other.id.startsWith(`${id}-`),
  );
  if (isShared && !stage.settings.entries.has("id")) {
    const message = `several stages are \`${stage.strategy}\`; \`${id}\` is the one in line ${stage.at.line}`;
    diagnostics.warn("LW-STAGE-AMBIGUOUS-ID", at, message, "give each an `id:`");
  }
  return stage;
}

/** A stage whose options and settings, taken together, are changed. */
export function withOptions(stage: ReadStage, change: (options: MapNode) => MapNode): ReadStage {
  const { settings, options } = stage;
  const entries = new Map([...settings.entries, ...options.entries]);
  const changed = change({ ...options, entries });
  return {
    ...stage,
    settings: { ...settings, entries: only(changed, commonSettings).entries },
    options: { ...options, entries: without(changed, commonSettings).entries },
  };
}

function changeStages(
  stages: readonly ReadStage[],
  { value }: MapEntry,
  diagnostics: Diagnostics,
): readonly ReadStage[] {
  if (value.kind !== "map") {
    const message = `\`stages\` is a map of stage ids, not ${shownValue(value)}`;
    diagnostics.error("LW-VALUE-MAP-EXPECTED", value, message, "write `stages: { ID: { ... } }`");
    return stages;
  }
  const flat = flattenStages(stages);
  const patches = new Map<string, MapNode>();
  for (const [id, said] of value.entries) {
    const stage = stageCalled(id, said.key, flat, diagnostics);
    const patch = stage === undefined ? undefined : readOptions(stage, said, diagnostics);
    if (patch !== undefined) patches.set(id, patch);
  }
  const apply = (stage: ReadStage): ReadStage => {
    const patch = patches.get(stage.id);
    const changed =
      patch === undefined
        ? stage
        : withOptions(stage, (all) => applyPatch(all, patch, { isSpec: false, diagnostics }));
    return { ...changed, slots: mapSlots(stage, (children) => children.map(apply)) };
  };
  return patches.size === 0 ? stages : stages.map(apply);
}

function readOptions(
  stage: ReadStage,
  { value }: MapEntry,
  diagnostics: Diagnostics,
): MapNode | undefined {
  if (value.kind !== "map") {
    const message = `what changes the stage \`${stage.id}\` is a map of its options, not ${shownValue(value)}`;
    const repair = `write \`${stage.id}: { OPTION: ${value.kind === "scalar" ? value.text : "[...]"} }\``;
    diagnostics.error("LW-VALUE-MAP-EXPECTED", value, message, repair);
    return undefined;
  }
  const entries = new Map<string, MapEntry>();
  for (const [text, entry] of value.entries) {
    const read = readOption(stage, entry, diagnostics);
    if (read !== undefined) entries.set(text, read);
  }
  return { ...value, entries };
}

function readOption(
  stage: ReadStage,
  said: MapEntry,
  diagnostics: Diagnostics,
): MapEntry | undefined {
  const { key } = patchKey(said.key.text);
  if (Object.hasOwn(stage.definition.slots, key)) return readSlotPatch(stage, said, diagnostics);
  if (key !== "id") return said;
  const message = `\`${said.key.text}\` of \`${stage.id}\` cannot be changed so: an overlay changes options and settings of a stage, not its id`;
  diagnostics.error("LW-SPEC-PATCH", said.key, message, `delete \`${said.key.text}\``);
  return undefined;
}

function removeStages(
  stages: readonly ReadStage[],
  { value }: MapEntry,
  diagnostics: Diagnostics,
): readonly ReadStage[] {
  if (value.kind !== "list") {
    const message = `\`stages-\` takes a list of the ids of the stages that go, not ${shownValue(value)}`;
    const id = value.kind === "scalar" ? value.text : "ID";
    diagnostics.error("LW-VALUE-LIST-EXPECTED", value, message, `write \`stages-: [${id}]\``);
    return stages;
  }
  const flat = flattenStages(stages);
  const gone = new Map<string, SpecNode>();
  for (const item of value.items) {
    const stage = stageCalled(textOf(item) ?? shownValue(item), item, flat, diagnostics);
    if (stage !== undefined) gone.set(stage.id, item);
  }
  if (gone.size === 0) return stages;
  const left = stages.filter(({ id }) => !gone.has(id));
  if (left.length > 0) return left.map((stage) => withoutChildren(stage, gone, diagnostics));
  const message = "`stages-` would leave the strategy without any stage";
  diagnostics.error("LW-SPEC-PATCH", value, message, "say `strategy` anew");
  return stages;
}

function withoutChildren(
  stage: ReadStage,
  gone: ReadonlyMap<string, SpecNode>,
  diagnostics: Diagnostics,
): ReadStage {
  const slots = new Map<string, readonly ReadStage[]>();
  const emptied = new Map<string, SpecNode>();
  for (const [name, children] of stage.slots) {
    const left = children.filter(({ id }) => !gone.has(id));
    const last = children.findLast(({ id }) => gone.has(id));
    if (left.length > 0 || last === undefined)
      slots.set(
        name,
        left.map((child) => withoutChildren(child, gone, diagnostics)),
      );
    else emptied.set(slotOf(name), gone.get(last.id) ?? last.at);
  }
  for (const [name, at] of emptied) {
    const isThere = [...slots.keys()].some((key) => slotOf(key) === name);
    if (isThere || stage.definition.slots[name]?.optional !== false) continue;
    const message = `\`stages-\` would leave \`${name}\` of \`${stage.id}\` without any stage, and it needs one`;
    const repair = `remove \`${stage.id}\` itself, or say \`strategy\` anew`;
    diagnostics.error("LW-SPEC-PATCH", at, message, repair);
  }
  const names = [...stage.childNames].filter(([name]) => slots.has(name));
  const lost = [...stage.slots.keys()].filter((name) => !slots.has(name));
  const options = withoutChildOptions(stage.options, lost);
  return { ...stage, options, slots, childNames: new Map(names) };
}

function mapSlots(
  { slots }: ReadStage,
  change: (children: readonly ReadStage[]) => readonly ReadStage[],
): ReadStage["slots"] {
  return new Map([...slots].map(([name, children]) => [name, change(children)]));
}
