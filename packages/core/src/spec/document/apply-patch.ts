import type { Diagnostics } from "../text/diagnostic.ts";
import { didYouMean } from "../text/suggest.ts";
import type { MapEntry, MapNode, SpecNode } from "../text/spec-node.ts";
import { emptyMap } from "./named-entries.ts";
import { isModelPath, withoutStaleParts } from "./stale-model-parts.ts";
import { mapFormOf, nameOf, namedSections, requireMapForm } from "./named-form.ts";
import { isUnset, shownValue, textOf } from "./node-text.ts";
import { holdsPatchKeys, type PatchKey, patchKey } from "./patch-key.ts";

/** How a patch is applied. */
export interface PatchSettings {
  /** The overlay that the patch is; its nodes are marked with it. */
  readonly overlay?: string;
  /** False for the options of a stage: no key of them is a section of the spec. Default true. */
  readonly isSpec?: boolean;
  readonly diagnostics: Diagnostics;
}

/**
 * Lays a patch over a map. A map merges, everything else replaces; `key+` adds to a list or map, `key-` removes from it by
 * name, and nothing else takes anything away. Removals come first, so that one patch can remove a name and say it anew.
 */
export function applyPatch(node: MapNode, patch: MapNode, settings: PatchSettings): MapNode {
  const { overlay, diagnostics } = settings;
  const said = overlay === undefined ? patch : inOverlay(patch, overlay);
  const place = settings.isSpec === false ? "inside" : "spec";
  const patcher: Patcher = { diagnostics, place, path: [] };
  return said.kind === "map" ? patchMap(node, said, patcher) : node;
}

/** Marks a node, and everything in it, as said by an overlay. */
export function inOverlay(node: SpecNode, overlay: string): SpecNode {
  if (node.kind === "scalar") return { ...node, overlay };
  if (node.kind === "list")
    return { ...node, overlay, items: node.items.map((item) => inOverlay(item, overlay)) };
  const entries = new Map<string, MapEntry>();
  for (const [name, said] of node.entries) {
    const key = { ...said.key, overlay };
    entries.set(name, { ...said, key, value: inOverlay(said.value, overlay) });
  }
  return { ...node, overlay, entries };
}

/** An entry with another value, which remembers what stood there. */
export function replaced(known: MapEntry | undefined, said: MapEntry): MapEntry {
  if (known === undefined || known.value === said.value) return said;
  const earlier = known.was === undefined ? [] : [known.was, ...(known.earlier ?? [])];
  return { ...said, was: known.value, ...(earlier.length === 0 ? {} : { earlier }) };
}

interface Patcher {
  readonly diagnostics: Diagnostics;
  /** `spec`: its sections have forms of their own; `names`: the keys are names; `data`: nothing is a patch key. */
  readonly place: "spec" | "strategies" | "inside" | "data";
  /** The keys on the way from the spec, or from the stage, that is patched. */
  readonly path: readonly string[];
}

const order: readonly PatchKey["does"][] = ["remove", "set", "add"];

function patchMap(under: MapNode, patch: MapNode, patcher: Patcher): MapNode {
  const below = isModelPath(patcher.path)
    ? withoutStaleParts(under, patch.entries.get("use")?.value)
    : under;
  const entries = new Map(below.entries);
  const said = [...patch.entries].map(([text, entry]) => ({
    ...(patcher.place === "data" ? { key: text, does: "set" as const } : patchKey(text)),
    entry,
  }));
  for (const wanted of order) {
    for (const { key, does, entry } of said) {
      if (does !== wanted) continue;
      const known = entries.get(key);
      // What can't be read may hold anything: it stays lost, unless it is replaced.
      const isReplaced = does === "set" && entry.value.kind !== "map";
      if (known !== undefined && isUnset(known.value) && !isReplaced) continue;
      const change = { key, entry, known };
      const result =
        does === "set"
          ? merged(change, patcher)
          : does === "add"
            ? added(change, patcher)
            : removed(change, patcher);
      if (result !== undefined) entries.set(key, result);
    }
  }
  return { ...below, entries };
}

interface Change {
  readonly key: string;
  readonly entry: MapEntry;
  readonly known: MapEntry | undefined;
}

/** Strategies are replaced whole: a stage is a map with one key, and two would be two stages. */
function isWhole(key: string, place: Patcher["place"]): boolean {
  return place === "strategies" || (place === "spec" && key === "strategy");
}

function inside(key: string, { diagnostics, place, path: above }: Patcher): Patcher {
  const path = [...above, key];
  if (place === "data" || !holdsPatchKeys(key)) return { diagnostics, place: "data", path };
  if (place === "spec" && key === "strategies") return { diagnostics, place: "strategies", path };
  return { diagnostics, place: "inside", path };
}

function merged({ key, entry, known }: Change, patcher: Patcher): MapEntry {
  const { value } = entry;
  if (isWhole(key, patcher.place) || value.kind !== "map") return replaced(known, entry);
  const below = mapBelow(key, known?.value, patcher.place);
  const map = patchMap(below ?? emptyMap(value), value, inside(key, patcher));
  if (known !== undefined && below !== undefined) return { ...known, value: map };
  return replaced(known, { ...entry, value: map });
}

function mapBelow(
  key: string,
  known: SpecNode | undefined,
  place: Patcher["place"],
): MapNode | undefined {
  if (known?.kind === "map") return known;
  const isNamed = place === "spec" && namedSections.has(key);
  return known?.kind === "list" && isNamed ? mapFormOf(known) : undefined;
}

function added(change: Change, patcher: Patcher): MapEntry | undefined {
  const { key, entry, known } = change;
  const { diagnostics } = patcher;
  const { value } = entry;
  if (value.kind === "scalar") {
    if (known?.value.kind === "scalar")
      return cannotAdd({ key, entry, below: known.value }, diagnostics);
    const message = `\`${key}+\` takes what is added as a list or a map, not ${shownValue(value)}`;
    const list = `\`${key}+: [${value.text}]\``;
    const repair =
      known === undefined
        ? `write \`${key}: ${value.text}\`, or ${list} if it is a list`
        : `write ${list}`;
    diagnostics.error("LW-VALUE-LIST-EXPECTED", value, message, repair);
    return undefined;
  }
  const said: MapEntry = { ...entry, key: { ...entry.key, value: key, text: key } };
  if (known === undefined) return said;
  const joined = join(key, known.value, value, patcher, entry);
  return joined === undefined ? undefined : replaced(known, { ...known, value: joined });
}

function join(
  key: string,
  below: SpecNode,
  said: Exclude<SpecNode, { kind: "scalar" }>,
  { diagnostics }: Patcher,
  entry: MapEntry,
): SpecNode | undefined {
  if (below.kind === "list" && said.kind === "list") {
    const names = new Map(below.items.map((item) => [nameOf(item), item]));
    const isFree = said.items.every((item) => isFresh(key, item, names, diagnostics));
    return isFree ? { ...below, items: [...below.items, ...said.items] } : undefined;
  }
  const first = below.kind === "list" ? mapFormOf(below) : below;
  if (first === undefined || first.kind === "scalar")
    return cannotAdd({ key, entry, below }, diagnostics);
  const second = said.kind === "list" ? requireMapForm(said, diagnostics) : said;
  if (second === undefined) return undefined;
  const names = new Map([...first.entries].map(([name, { key: at }]) => [name, at]));
  const keys = [...second.entries.values()].map((fresh) => fresh.key);
  const isFree = keys.every((item) => isFresh(key, item, names, diagnostics));
  return isFree ? { ...first, entries: new Map([...first.entries, ...second.entries]) } : undefined;
}

interface Refused {
  readonly key: string;
  readonly entry: MapEntry;
  readonly below: SpecNode;
}

function cannotAdd({ key, entry, below }: Refused, diagnostics: Diagnostics): undefined {
  const message = `\`${key}\` is ${shownValue(below)} here: nothing can be added to it`;
  diagnostics.error("LW-SPEC-PATCH", entry.key, message, `write \`${key}:\` to replace it`);
}

function isFresh(
  key: string,
  item: SpecNode,
  names: ReadonlyMap<string | undefined, SpecNode>,
  diagnostics: Diagnostics,
): boolean {
  const name = nameOf(item);
  const known = name === undefined ? undefined : names.get(name);
  if (known === undefined) return true;
  diagnostics.error(
    "LW-SPEC-PATCH",
    item,
    `\`${name ?? ""}\` is in \`${key}\` already, at ${known.file}:${known.line}`,
    `to change it, write \`${key}: { ${name ?? ""}: ... }\``,
  );
  return false;
}

function removed({ key, entry, known }: Change, patcher: Patcher): MapEntry | undefined {
  const { diagnostics } = patcher;
  const { value } = entry;
  if (value.kind !== "list") {
    const message = `\`${key}-\` takes a list of the names that are removed, not ${shownValue(value)}`;
    const name = value.kind === "scalar" ? value.text : "NAME";
    diagnostics.error("LW-VALUE-LIST-EXPECTED", value, message, `write \`${key}-: [${name}]\``);
    return undefined;
  }
  const below = known?.value;
  if (known === undefined || below === undefined || below.kind === "scalar") {
    const what = below === undefined ? "nothing" : shownValue(below);
    const message = `\`${key}\` is ${what} here: no name can be removed from it`;
    diagnostics.error("LW-SPEC-PATCH", entry.key, message, `delete \`${key}-\``);
    return undefined;
  }
  const names = below.kind === "map" ? [...below.entries.keys()] : below.items.flatMap(nameOrNone);
  const gone = new Set(value.items.flatMap((item) => goneName(key, item, names, diagnostics)));
  return replaced(known, { ...known, value: withoutNames(below, gone) });
}

function nameOrNone(item: SpecNode): readonly string[] {
  const name = nameOf(item);
  return name === undefined ? [] : [name];
}

function goneName(
  key: string,
  item: SpecNode,
  names: readonly string[],
  diagnostics: Diagnostics,
): readonly string[] {
  const name = textOf(item);
  if (name !== undefined && names.includes(name)) return [name];
  const shown = name === undefined ? shownValue(item) : `\`${name}\``;
  const known = names.length === 0 ? "it is empty" : `there: ${names.join(", ")}`;
  const repair = didYouMean(name ?? "", names) ?? known;
  diagnostics.error("LW-SPEC-PATCH", item, `\`${key}\` holds no ${shown} to remove`, repair);
  return [];
}

function withoutNames(
  node: Exclude<SpecNode, { kind: "scalar" }>,
  gone: ReadonlySet<string>,
): SpecNode {
  if (node.kind === "list")
    return { ...node, items: node.items.filter((item) => !gone.has(nameOf(item) ?? "")) };
  return { ...node, entries: new Map([...node.entries].filter(([name]) => !gone.has(name))) };
}
