import type { Diagnostics } from "../text/diagnostic.ts";
import type { ListNode, MapEntry, MapNode, SpecNode } from "../text/spec-node.ts";
import { emptyMap } from "./named-entries.ts";
import { isUnset, labelOf, shownValue, textOf } from "./node-text.ts";

/** One stage as the spec says it, before its strategy is known. */
export interface StageForm {
  readonly strategy: string;
  /** Where the strategy's id stands. */
  readonly at: SpecNode;
  /** Options, child slots and common settings. */
  readonly body: MapNode;
  /** True where something stands beside it that was meant to be inside. */
  readonly isFaulty: boolean;
}

/** Stages of a place in the spec. */
export interface StageForms {
  readonly forms: readonly StageForm[];
  /** False where something stands among them that is no stage. */
  readonly isWhole: boolean;
}

/** What is known about the strategies that a spec may name. */
export interface KnownStrategies {
  /** Whether a key names one. */
  readonly isStrategy: (id: string) => boolean;
  /** The map that a list of stages under the strategy's name was meant as; undefined where it takes none. */
  readonly formOf: (id: string, list: ListNode) => string | undefined;
}

/** Reads a stage or a list of stages. */
export function readStageForms(
  node: SpecNode,
  known: KnownStrategies,
  diagnostics: Diagnostics,
): StageForms {
  if (node.kind !== "list") {
    const forms = readOne(node, known, diagnostics);
    return { forms, isWhole: forms.length > 0 };
  }
  if (node.items.length === 0)
    diagnostics.error(
      "LW-STAGE-EMPTY",
      node,
      "a list of stages needs at least one",
      `write \`${labelOf(node)}: direct\`, or a list of stages`,
    );
  const parts = node.items.map((item) => readStageForms(item, known, diagnostics));
  return {
    forms: parts.flatMap((part) => part.forms),
    isWhole: node.items.length > 0 && parts.every((part) => part.isWhole),
  };
}

function readOne(
  node: Exclude<SpecNode, { kind: "list" }>,
  known: KnownStrategies,
  diagnostics: Diagnostics,
): readonly StageForm[] {
  if (isUnset(node)) return [];
  if (node.kind === "scalar") {
    const strategy = textOf(node);
    if (strategy !== undefined)
      return [{ strategy, at: node, body: emptyMap(node), isFaulty: false }];
    diagnostics.error(
      "LW-STAGE-FORM",
      node,
      `a stage is one word or a map with one key, not ${shownValue(node)}`,
      "write the id of a strategy, like `direct`, or `react: { maxSteps: 6 }`",
    );
    return [];
  }
  const entries = [...node.entries.values()];
  const main = entries.find(({ key }) => known.isStrategy(key.text)) ?? entries[0];
  if (main === undefined) {
    diagnostics.error(
      "LW-STAGE-FORM",
      node,
      "a stage is one word or a map with one key, and this map is empty",
      "write the id of a strategy, like `direct`, or `react: { maxSteps: 6 }`",
    );
    return [];
  }
  for (const entry of entries)
    if (entry !== main) reportStray(entry, main, known.isStrategy, diagnostics);
  return fromEntry(main, entries.length > 1, known, diagnostics);
}

function fromEntry(
  { key, value }: MapEntry,
  isFaulty: boolean,
  { formOf }: KnownStrategies,
  diagnostics: Diagnostics,
): readonly StageForm[] {
  if (value.kind === "map") return [{ strategy: key.text, at: key, body: value, isFaulty }];
  const message = `what stands under \`${key.text}\` is a map of its options, not ${shownValue(value)}`;
  const repair =
    value.kind === "list"
      ? listRepair(key.text, formOf(key.text, value))
      : `name the option: \`${key.text}: { OPTION: ${value.text} }\``;
  diagnostics.error("LW-STAGE-FORM", value, message, repair);
  return [];
}

function listRepair(id: string, form: string | undefined): string {
  return form === undefined
    ? `name the option: \`${id}: { OPTION: [...] }\``
    : `name the slot: \`${id}: ${form}\``;
}

function reportStray(
  stray: MapEntry,
  main: MapEntry,
  isStrategy: (id: string) => boolean,
  diagnostics: Diagnostics,
): void {
  const { key, value } = stray;
  // What has no value is told already, with the key beside it.
  if (isUnset(main.value)) return;
  if (isStrategy(key.text)) {
    const message = `\`${key.text}\` is a second stage in the same map as \`${main.key.text}\``;
    diagnostics.error(
      "LW-STAGE-FORM",
      key,
      message,
      `start it on a line of its own: \`- ${key.text}: ...\``,
    );
    return;
  }
  const inline = inlineOf(value);
  const options =
    main.value.kind === "map" && main.value.entries.size > 0
      ? `{ ..., ${key.text}: ${inline} }`
      : `{ ${key.text}: ${inline} }`;
  const message = `\`${key.text}\` stands beside \`${main.key.text}\`, not inside it`;
  diagnostics.error(
    "LW-STAGE-MISPLACED-OPTION",
    key,
    message,
    `indent it by 2 more, or write \`- ${main.key.text}: ${options}\``,
  );
}

function inlineOf(value: SpecNode): string {
  if (value.kind === "list") return "[...]";
  if (value.kind === "map") return "{ ... }";
  return value.text.length > 40 || value.text.includes("\n")
    ? "..."
    : textOf(value) === undefined
      ? String(value.value)
      : value.text;
}
