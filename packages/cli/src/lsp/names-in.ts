import type { KeyCatalogue, Step, ValueInfo } from "@loopwright/core";
import { entriesOf } from "./cursor-place.ts";
import type { OutlineEntry, OutlineMap, OutlineNode, OutlineScalar } from "./outline-node.ts";
import type { FollowedKind, NameUse } from "./name-use.ts";
import { namesInText } from "./names-in-text.ts";

/** Sections whose keys, or list items, are names that the spec gives. */
const SECTIONS: Readonly<Record<string, FollowedKind>> = {
  models: "role",
  tools: "tool",
  memory: "memory",
  sinks: "sink",
  strategies: "strategy",
  overlays: "overlay",
  inputs: "input",
};

/** Every name in the outline of a spec, with its place; the catalogue says what is a name of what. */
export function namesIn(
  text: string,
  outline: OutlineNode | undefined,
  catalogue: KeyCatalogue,
): readonly NameUse[] {
  if (outline?.kind !== "map") return [];
  const reader = new NameReader(text, catalogue);
  reader.visit(outline, []);
  return withBranches(reader.found);
}

/** What a text says of `results` may be a branch: its names stand there as those of stages do. */
function withBranches(found: readonly NameUse[]): readonly NameUse[] {
  const defined = found.filter(({ isDefinition }) => isDefinition);
  const namesOf = (wanted: FollowedKind): ReadonlySet<string> =>
    new Set(defined.flatMap(({ kind, name }) => (kind === wanted ? [name] : [])));
  const [branches, stages] = [namesOf("branch"), namesOf("stage")];
  return found.map((use) =>
    use.isResult === true && branches.has(use.name) && !stages.has(use.name)
      ? { ...use, kind: "branch" }
      : use,
  );
}

/** The names that the sections of a spec give, without looking further. */
export function definedNames(outline: OutlineNode | undefined): readonly NameUse[] {
  if (outline?.kind !== "map") return [];
  return outline.entries.flatMap((entry) => {
    const kind = SECTIONS[entry.key];
    return kind === undefined ? [] : sectionNames(entry.value, kind, true);
  });
}

function sectionNames(
  node: OutlineNode | undefined,
  kind: FollowedKind,
  isDefinition: boolean,
): readonly NameUse[] {
  if (node?.kind === "map")
    return node.entries.map((entry) => {
      const use = keyUse(entry, kind, isDefinition);
      return usesPlugins.has(kind) && !saysUse(entry) ? { ...use, isId: true } : use;
    });
  if (node?.kind !== "list") return [];
  return node.items.flatMap((item) => {
    if (item.kind === "scalar")
      return item.word === "" ? [] : [{ ...wordUse(item, kind, isDefinition), isId: true }];
    if (item.kind === "list") return [];
    const [entry] = item.entries;
    return entry === undefined ? [] : [{ ...keyUse(entry, kind, isDefinition), isId: true }];
  });
}

/** Sections whose entries are plugins: without `use`, the name is the plugin's id. */
const usesPlugins: ReadonlySet<FollowedKind> = new Set(["tool", "memory", "sink"]);

function saysUse({ value }: OutlineEntry): boolean {
  return value?.kind === "map" && value.entries.some(({ key }) => key === "use");
}

class NameReader {
  readonly found: NameUse[] = [];
  readonly #text: string;
  readonly #catalogue: KeyCatalogue;

  constructor(text: string, catalogue: KeyCatalogue) {
    this.#text = text;
    this.#catalogue = catalogue;
  }

  visit(node: OutlineNode, steps: readonly Step[]): void {
    if (node.kind === "scalar") this.#scalar(node, this.#catalogue.valueAt(steps));
    else if (node.kind === "list")
      for (const [index, item] of node.items.entries()) this.visit(item, [...steps, { index }]);
    else this.#map(node, steps);
  }

  #map(map: OutlineMap, steps: readonly Step[]): void {
    const entries = entriesOf(map);
    for (const kind of this.#catalogue.keyNamesAt(steps, entries))
      if (kind !== "model")
        for (const entry of map.entries) this.found.push(keyUse(entry, kind, false));
    for (const kind of this.#catalogue.keyDefinitionsAt(steps, entries))
      if (kind !== "model")
        for (const entry of map.entries) this.found.push(keyUse(entry, kind, true));
    for (const entry of map.entries) {
      this.#section(entry, steps);
      if (entry.value !== undefined)
        this.visit(entry.value, [...steps, { key: entry.key, entries }]);
    }
  }

  // In an overlay a section changes what the spec has: its names are uses.
  #section({ key, value }: OutlineEntry, steps: readonly Step[]): void {
    const kind = SECTIONS[key.replace(/\+$/u, "")];
    const [first] = steps;
    const isPatch =
      steps.length === 2 && first !== undefined && "key" in first && first.key === "overlays";
    if (kind === undefined || (steps.length > 0 && !isPatch)) return;
    this.found.push(...sectionNames(value, kind, !isPatch));
  }

  #scalar(node: OutlineScalar, info: ValueInfo): void {
    for (const kind of info.defines)
      if (kind !== "model") this.found.push(wordUse(node, kind, true));
    for (const kind of info.names) {
      const isName = !/[/*\s$]/u.test(node.word) && node.word !== "" && node.word !== "none";
      if (kind !== "model") this.found.push(wordUse(node, kind, false));
      else if (isName) this.found.push(wordUse(node, "role", false));
    }
    if (info.forms.has("path") || info.forms.has("spec"))
      this.found.push(wordUse(node, "file", false));
    this.found.push(...namesInText(this.#text, node, info.forms));
  }
}

function keyUse(entry: OutlineEntry, kind: FollowedKind, isDefinition: boolean): NameUse {
  const quote = entry.keyEnd - entry.start > entry.key.length ? 1 : 0;
  const start = entry.start + quote;
  return { kind, name: entry.key, start, end: start + entry.key.length, isDefinition };
}

function wordUse(node: OutlineScalar, kind: FollowedKind, isDefinition: boolean): NameUse {
  const start = node.start + (node.style === "quoted" ? 1 : 0);
  return { kind, name: node.word, start, end: start + node.word.length, isDefinition };
}
