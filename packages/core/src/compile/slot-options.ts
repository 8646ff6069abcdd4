import { without } from "../spec/document/named-entries.ts";
import { shownValue } from "../spec/document/node-text.ts";
import { patchKey } from "../spec/document/patch-key.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { MapEntry, MapNode, SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { slotOf } from "./slot-forms.ts";
import type { ReadStage } from "./stage-tree.ts";

/** Why something of a slot can't be changed from outside, and where it can. */
export interface SlotFault {
  readonly message: string;
  readonly repair: string;
}

/** What a patch says of a slot, without what it can't change, which is reported; undefined where nothing is left. */
export function readSlotPatch(
  stage: ReadStage,
  said: MapEntry,
  diagnostics: Diagnostics,
): MapEntry | undefined {
  const { key, value } = said;
  const { key: slot, does } = patchKey(key.text);
  const refuse = (at: SpecNode, { message, repair }: SlotFault): undefined => {
    diagnostics.error("LW-SPEC-PATCH", at, message, repair);
    return undefined;
  };
  if (stage.definition.slots[slot]?.under === undefined || does !== "set")
    return refuse(key, wholeSlot(stage, slot, key.text));
  if (value.kind !== "map") {
    const message = `what changes \`${slot}\` of \`${stage.id}\` is a map of its names, not ${shownValue(value)}`;
    const repair = `write \`${slot}: { ${childNames(stage, slot)[0] ?? "NAME"}: { ... } }\``;
    diagnostics.error("LW-VALUE-MAP-EXPECTED", value, message, repair);
    return undefined;
  }
  const entries = new Map<string, MapEntry>();
  for (const [name, child] of value.entries) {
    const read = readChild(stage, slot, child, diagnostics);
    if (read !== undefined) entries.set(name, read);
  }
  return { ...said, value: { ...value, entries } };
}

function readChild(
  stage: ReadStage,
  slot: string,
  said: MapEntry,
  diagnostics: Diagnostics,
): MapEntry | undefined {
  const { key, value } = said;
  const fault = childFault(stage, slot, key.text);
  if (fault !== undefined) {
    diagnostics.error("LW-SPEC-PATCH", key, fault.message, fault.repair);
    return undefined;
  }
  if (value.kind !== "map") {
    const message = `what changes \`${slot}.${key.text}\` of \`${stage.id}\` is a map of its options, not ${shownValue(value)}`;
    const repair = `write \`${key.text}: { OPTION: ... }\``;
    diagnostics.error("LW-VALUE-MAP-EXPECTED", value, message, repair);
    return undefined;
  }
  const refused = [...value.entries.values()].flatMap((entry) => {
    const text = patchKey(entry.key.text).key;
    return text === stage.definition.slots[slot]?.under ? [entry.key] : [];
  });
  for (const at of refused) {
    const { message, repair } = childStages(stage, slot, key.text, at.text);
    diagnostics.error("LW-SPEC-PATCH", at, message, repair);
  }
  const texts = refused.map(({ text }) => text);
  return { ...said, value: without(value, texts) };
}

/** Why a path below a slot (`cases.small.description`) can't be set; undefined where it can. */
export function faultOfSlotPath(
  stage: ReadStage,
  [first = "", name, option]: readonly string[],
): SlotFault | undefined {
  const { key: slot, does } = patchKey(first);
  const under = stage.definition.slots[slot]?.under;
  if (under === undefined || does !== "set") return wholeSlot(stage, slot, first);
  if (name === undefined) return wholeSlot(stage, slot, slot, childNames(stage, slot)[0]);
  const fault = childFault(stage, slot, name);
  if (fault !== undefined) return fault;
  if (option === undefined) return wholeSlot(stage, slot, `${slot}.${name}`, name);
  return option === under ? childStages(stage, slot, name, option) : undefined;
}

/** Options of a stage without what they say of children that are gone. */
export function withoutChildOptions(options: MapNode, gone: readonly string[]): MapNode {
  let entries = options.entries;
  for (const key of gone) {
    const slot = slotOf(key);
    const said = entries.get(slot);
    if (said?.value.kind !== "map") continue;
    const value = without(said.value, [key.slice(slot.length + 1)]);
    entries = new Map(entries).set(slot, { ...said, value });
  }
  return { ...options, entries };
}

function wholeSlot(stage: ReadStage, slot: string, said: string, name?: string): SlotFault {
  const message = `\`${said}\` of \`${stage.id}\` cannot be changed so: only options and settings of a stage can, not its stages`;
  const { does } = patchKey(said);
  const repair =
    name !== undefined
      ? `name an option beside its stages: \`${slot}.${name}.OPTION\``
      : does === "add"
        ? "say `strategy` anew"
        : stagesRepair(stage, (key) => slotOf(key) === slot, does === "remove");
  return { message, repair };
}

function childFault(stage: ReadStage, slot: string, name: string): SlotFault | undefined {
  const names = childNames(stage, slot);
  if (names.includes(name)) return undefined;
  const there = names.length === 0 ? "" : `there: ${names.join(", ")}; `;
  return {
    message: `\`${slot}\` of \`${stage.id}\` has no \`${name}\`, and one more would need stages`,
    repair: didYouMean(name, names) ?? `${there}to add one, say \`strategy\` anew`,
  };
}

function childStages(stage: ReadStage, slot: string, name: string, under: string): SlotFault {
  return {
    message: `\`${under}\` of \`${slot}.${name}\` in \`${stage.id}\` cannot be changed so: it holds stages`,
    repair: stagesRepair(stage, (key) => key === `${slot}.${name}`),
  };
}

function stagesRepair(
  { slots }: ReadStage,
  isMeant: (key: string) => boolean,
  isRemoval: boolean = false,
): string {
  const [first, ...rest] = [...slots].flatMap(([key, stages]) => (isMeant(key) ? stages : []));
  if (first === undefined) return "say `strategy` anew";
  const others = rest.length === 0 ? "" : ` (also ${rest.map(({ id }) => id).join(", ")})`;
  if (isRemoval) return `take its stages out by their ids, as \`stages-: [${first.id}]\`${others}`;
  return `change its stages by their ids, as \`stages.${first.id}\`${others}, or say \`strategy\` anew`;
}

/** The names of a slot whose entries are maps. */
function childNames({ options }: ReadStage, slot: string): readonly string[] {
  const value = options.entries.get(slot)?.value;
  return value?.kind === "map" ? [...value.entries.keys()] : [];
}
