import fc from "fast-check";

/** A spec as it is written: keys may stand twice, and a scalar is whatever stands there. */
export type SpecTree =
  | { readonly kind: "map"; readonly entries: readonly (readonly [string, SpecTree])[] }
  | { readonly kind: "list"; readonly items: readonly SpecTree[] }
  | { readonly kind: "scalar"; readonly source: string };

/** Takes plain data as a tree. */
export function treeOf(value: unknown): SpecTree {
  if (Array.isArray(value)) return { kind: "list", items: value.map(treeOf) };
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return { kind: "map", entries: entries.map(([key, item]) => [key, treeOf(item)]) };
  }
  return { kind: "scalar", source: JSON.stringify(value) };
}

/** Writes a tree as YAML that a reader of JSON knows, one outermost key a line. */
export function writeTree(tree: SpecTree): string {
  if (tree.kind !== "map") return `${inline(tree)}\n`;
  return tree.entries.map(([key, value]) => `${JSON.stringify(key)}: ${inline(value)}\n`).join("");
}

function inline(tree: SpecTree): string {
  switch (tree.kind) {
    case "scalar":
      return tree.source;
    case "list":
      return `[${tree.items.map(inline).join(", ")}]`;
    default:
      return `{ ${tree.entries.map(([key, value]) => `${JSON.stringify(key)}: ${inline(value)}`).join(", ")} }`;
  }
}

/** One change of a tree: where, and what with; numbers are taken modulo what there is. */
interface Mutation {
  readonly kind:
    | "delete"
    | "rename"
    | "duplicate"
    | "replace"
    | "retype"
    | "swap"
    | "wrap"
    | "insert";
  readonly at: number;
  readonly other: number;
  readonly scalar: string;
  readonly key: string;
}

const scalars = [
  ..."0 1 -1 1.5 2000 200k 5 true false null ~ yes".split(" "),
  ...'5s 10/1m "" "3" "true" "5s" "none" "always" "direct" "react"'.split(" "),
  '"task.text"',
  '"verdict.passed"',
  "\"verdict.outcome == 'passed'\"",
  '"answer.revision > 1"',
  '"inputs.city"',
  '"{{ inputs.city }}"',
  '"{{ nobody.knows }}"',
  '"{{ open"',
  '"${env:LIMIT}"',
  '"${env:UNSET}"',
  '"${secret:KEY}"',
  '"${file:notes.txt}"',
  '"${file:missing.txt}"',
  '"../../outside"',
  '"stub/other"',
  '"judge"',
  "!tag",
  "*alias",
  "[]",
  "{}",
];

const keys =
  "id when always model instructions prompt examples tools limits onError do revise maxRounds maxSteps checks method samples until use extends fallback approval deny timeout cache retry rateLimit repeat polls reason expires fields schema repair deadLetter strategy switches glossary stages modelCalls usd time in item maxItems nonsense plan direct react".split(
    " ",
  );

/** A few changes of a spec, of every kind. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Mutation["kind"][]>(
      "delete",
      "rename",
      "duplicate",
      "replace",
      "retype",
      "swap",
      "wrap",
      "insert",
    ),
    at: fc.nat(10_000),
    other: fc.nat(10_000),
    scalar: fc.constantFrom(...scalars),
    key: fc.constantFrom(...keys),
  }),
  { maxLength: 3 },
);

/** Applies changes one after the other. */
export function mutate(tree: SpecTree, changes: readonly Mutation[]): SpecTree {
  return changes.reduce(mutateOnce, tree);
}

function mutateOnce(tree: SpecTree, change: Mutation): SpecTree {
  const all = placesOf(tree);
  const place = all[change.at % all.length] ?? [];
  const other = all[change.other % all.length] ?? [];
  return changeAt(tree, place, change, nodeAt(tree, other));
}

/** A way into a tree: the index of an entry or item at each depth. */
type Place = readonly number[];

function childrenOf(tree: SpecTree): readonly SpecTree[] {
  if (tree.kind === "map") return tree.entries.map(([, value]) => value);
  return tree.kind === "list" ? tree.items : [];
}

function placesOf(tree: SpecTree): readonly Place[] {
  return childrenOf(tree).flatMap((child, index) => [
    [index],
    ...placesOf(child).map((place) => [index, ...place]),
  ]);
}

function nodeAt(tree: SpecTree, place: Place): SpecTree {
  const [index, ...rest] = place;
  const child = index === undefined ? undefined : childrenOf(tree)[index];
  return child === undefined ? tree : nodeAt(child, rest);
}

function changeAt(tree: SpecTree, place: Place, change: Mutation, other: SpecTree): SpecTree {
  const [index = 0, ...rest] = place;
  if (tree.kind === "scalar" || childrenOf(tree).length === 0) return tree;
  if (rest.length > 0) {
    if (tree.kind === "list")
      return {
        kind: "list",
        items: tree.items.map((item, at) =>
          at === index ? changeAt(item, rest, change, other) : item,
        ),
      };
    return {
      kind: "map",
      entries: tree.entries.map(([key, value], at) => [
        key,
        at === index ? changeAt(value, rest, change, other) : value,
      ]),
    };
  }
  return tree.kind === "map"
    ? { kind: "map", entries: changedEntries(tree.entries, index, change, other) }
    : { kind: "list", items: changedItems(tree.items, index, change, other) };
}

type Entries = Extract<SpecTree, { kind: "map" }>["entries"];

function changedEntries(
  entries: Entries,
  index: number,
  change: Mutation,
  other: SpecTree,
): Entries {
  return entries.flatMap(([key, value], at): Entries => {
    if (at !== index) return [[key, value]];
    switch (change.kind) {
      case "delete":
        return [];
      case "rename":
        return [[change.other % 2 === 0 ? `${key}s` : change.key, value]];
      case "duplicate":
        return [
          [key, value],
          [key, value],
        ];
      case "insert":
        return [
          [key, value],
          [change.key, { kind: "scalar", source: change.scalar }],
        ];
      default:
        return [[key, changed(value, change, other)]];
    }
  });
}

function changedItems(
  items: readonly SpecTree[],
  index: number,
  change: Mutation,
  other: SpecTree,
): readonly SpecTree[] {
  return items.flatMap((item, at) => {
    if (at !== index) return [item];
    if (change.kind === "delete") return [];
    return change.kind === "duplicate" ? [item, item] : [changed(item, change, other)];
  });
}

function changed(value: SpecTree, { kind, scalar }: Mutation, other: SpecTree): SpecTree {
  if (kind === "swap") return other;
  if (kind === "wrap") return { kind: "list", items: [value] };
  if (kind === "retype" && value.kind === "scalar")
    return { kind: "scalar", source: retyped(value) };
  return { kind: "scalar", source: scalar };
}

// A number becomes text and text a bare word, a time loses its unit.
function retyped({ source }: Extract<SpecTree, { kind: "scalar" }>): string {
  if (!source.startsWith('"')) return `"${source.replaceAll(/["\\]/g, "")}"`;
  const text = source.slice(1, -1);
  return /^[\w.-]+$/.test(text) ? text.replace(/(?<=\d)(ms|s|m|h|d)$/, "") : "7";
}
