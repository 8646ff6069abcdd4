import type { SlotDeclaration } from "../contracts/slots.ts";
import { isKebabCase, kebabCase } from "../spec/document/kebab-case.ts";
import { without } from "../spec/document/named-entries.ts";
import { labelOf, shownValue } from "../spec/document/node-text.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { ListNode, MapEntry, MapNode, ScalarNode, SpecNode } from "../spec/text/spec-node.ts";

/** One child of a slot: where its stages stand, under the key that programs store them by. */
export interface SlotChild {
  /** `do`, or the slot and the child's name: `branches.left`, `try.0`. */
  readonly key: string;
  /** Where the name of the child stands; missing for a child without one. */
  readonly name?: ScalarNode;
  readonly stages: SpecNode;
}

/** What a slot of a stage holds. */
interface SlotReading {
  readonly children: readonly SlotChild[];
  /** What stands beside the stages of each child, which becomes the option of the slot's name. */
  readonly beside?: MapNode;
}

/** Whose slot it is. */
interface SlotOwner {
  readonly slot: string;
  readonly declaration: SlotDeclaration;
  readonly isStrategy: (id: string) => boolean;
  readonly diagnostics: Diagnostics;
}

/** The declared slot of a child's key: `branches` of `branches.left`. */
export function slotOf(key: string): string {
  return key.split(".", 1)[0] ?? key;
}

/** The declared slots that a stage has children in, by the keys that programs store them by. */
export function slotNamesOf(keys: Iterable<string>): readonly string[] {
  return [...new Set([...keys].map(slotOf))];
}

/** Finds the children in the value of a slot; what has the wrong form is reported and left out. */
export function readSlot(value: SpecNode, owner: SlotOwner): SlotReading {
  const { form } = owner.declaration;
  if (form === "named") return readNamed(value, owner);
  return {
    children: form === "listed" ? readListed(value, owner) : [{ key: owner.slot, stages: value }],
  };
}

/** How a list of stages is written under the first slot that has to be given; undefined for a strategy without slots. */
export function slotForm(
  slots: Readonly<Record<string, SlotDeclaration>>,
  { items }: ListNode,
): string | undefined {
  const all = Object.entries(slots);
  const [slot, declaration] = all.find(([, { optional }]) => !optional) ?? all[0] ?? [];
  if (slot === undefined || declaration === undefined) return undefined;
  const texts = items.map((item) => (item.kind === "scalar" ? item.text : "..."));
  if (declaration.form !== "named") return `{ ${slot}: [${texts.join(", ")}] }`;
  const { under } = declaration;
  const children = texts.map((text, index) => {
    const child = under === undefined ? text : `{ ..., ${under}: ${text} }`;
    return `${childNames[index] ?? `number-${index + 1}`}: ${child}`;
  });
  return `{ ${slot}: { ${children.join(", ")} } }`;
}

const childNames: readonly string[] = ["first", "second", "third"];

function readListed(value: SpecNode, { slot, diagnostics }: SlotOwner): readonly SlotChild[] {
  if (value.kind !== "list") {
    const repair =
      value.kind === "scalar" ? `write \`${slot}: [${value.text}]\`` : "start each with `- `";
    const message = `\`${slot}\` is a list of stages, not ${shownValue(value)}`;
    diagnostics.error("LW-VALUE-LIST-EXPECTED", value, message, repair);
    return [];
  }
  if (value.items.length === 0)
    diagnostics.error(
      "LW-STAGE-EMPTY",
      value,
      `\`${slot}\` needs at least one stage`,
      `write \`${slot}: [direct]\`, or the stages that are tried in order`,
    );
  return value.items.map((stages, index) => ({ key: `${slot}.${index}`, stages }));
}

function readNamed(value: SpecNode, owner: SlotOwner): SlotReading {
  const { slot, declaration, diagnostics } = owner;
  if (value.kind !== "map") {
    const child = declaration.under === undefined ? "..." : `{ ..., ${declaration.under}: ... }`;
    const message = `\`${slot}\` is a map of names, not ${shownValue(value)}`;
    const repair = `give each a name: \`${slot}: { first: ${child}, second: ${child} }\``;
    diagnostics.error("LW-VALUE-MAP-EXPECTED", value, message, repair);
    return { children: [] };
  }
  if (value.entries.size === 0)
    diagnostics.error(
      "LW-STAGE-EMPTY",
      value,
      `\`${slot}\` needs at least one name with a stage`,
      `write \`${slot}: { first: ${declaration.under === undefined ? "direct" : `{ ..., ${declaration.under}: direct }`} }\``,
    );
  const { under } = declaration;
  const entries = [...value.entries.values()];
  for (const { key } of entries) checkName(key, owner);
  if (under === undefined) {
    const misplaced = entries.filter((entry) => !isMisplacedStage(entry, entries.length, owner));
    return {
      children: misplaced.map(({ key, value: stages }) => ({
        key: `${slot}.${key.text}`,
        name: key,
        stages,
      })),
    };
  }
  const parts = entries.map((entry) => ({ entry, ...besideStages(entry, under, owner) }));
  const besides = parts.flatMap(({ entry, beside }) =>
    beside === undefined ? [] : [[entry.key.text, { key: entry.key, value: beside }] as const],
  );
  return {
    children: parts.flatMap(({ entry: { key }, stages }) =>
      stages === undefined ? [] : [{ key: `${slot}.${key.text}`, name: key, stages }],
    ),
    beside: { ...value, entries: new Map(besides) },
  };
}

function checkName(key: ScalarNode, { slot, diagnostics }: SlotOwner): void {
  if (isKebabCase(key.text)) return;
  const kebab = kebabCase(key.text);
  diagnostics.error(
    "LW-VALUE-ID",
    key,
    `a name in \`${slot}\` is kebab-case; \`${key.text}\` is not`,
    kebab === undefined ? "write small letters, digits and dashes" : `write \`${kebab}:\``,
  );
}

/** A slot with one entry that is a strategy's id and holds its options was meant as a single stage. */
function isMisplacedStage(
  { key, value }: MapEntry,
  count: number,
  { slot, isStrategy, diagnostics }: SlotOwner,
): boolean {
  const isStage = value.kind === "map" && [...value.entries.keys()].every((id) => !isStrategy(id));
  if (count !== 1 || !isStage || !isStrategy(key.text)) return false;
  const message = `\`${slot}\` is a map of names, and \`${key.text}\` is a stage`;
  const repair = `give it a name: \`${slot}: { NAME: { ${key.text}: ... } }\``;
  diagnostics.error("LW-STAGE-FORM", key, message, repair);
  return true;
}

interface Parts {
  readonly stages?: SpecNode;
  readonly beside?: MapNode;
}

function besideStages({ key, value }: MapEntry, under: string, owner: SlotOwner): Parts {
  const { diagnostics, isStrategy } = owner;
  if (value.kind !== "map") {
    const shown = value.kind === "scalar" ? value.text : "[...]";
    const message = `\`${labelOf(value)}\` is a map with \`${under}\`, not ${shownValue(value)}`;
    const repair = `write \`${key.text}: { ..., ${under}: ${shown} }\``;
    diagnostics.error("LW-STAGE-FORM", value, message, repair);
    return {};
  }
  const strays = [...value.entries.values()].filter(
    (entry) => entry.key.text !== under && isStrategy(entry.key.text),
  );
  for (const { key: at } of strays) {
    const message = `\`${at.text}\` is a stage; it stands under \`${under}\``;
    const repair = `write \`${under}: { ${at.text}: ... }\``;
    diagnostics.error("LW-STAGE-MISPLACED-OPTION", at, message, repair);
  }
  const stages = value.entries.get(under)?.value;
  if (stages === undefined && strays.length === 0) {
    const message = `\`${key.text}\` in \`${owner.slot}\` needs \`${under}\`: what is done then`;
    const repair = `write \`${under}:\` with a stage or a list of stages`;
    diagnostics.error("LW-STAGE-MISSING-SLOT", key, message, repair);
  }
  const beside = without(value, [under, ...strays.map((stray) => stray.key.text)]);
  return { ...(stages === undefined ? {} : { stages }), beside };
}
