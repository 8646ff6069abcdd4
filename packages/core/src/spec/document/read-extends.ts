import { posix } from "node:path";
import type { Diagnostics } from "../text/diagnostic.ts";
import { chainFault, IncludeBudget } from "../text/include-budget.ts";
import { parseYaml } from "../text/parse-yaml.ts";
import { readSource, type SourceText } from "../text/read-source.ts";
import { entry, type MapNode, positionOf, type SpecNode } from "../text/spec-node.ts";
import { type Layered, layOver, type StagePatch, stageKeys } from "./lay-over.ts";
import { without } from "./named-entries.ts";
import { patchKey } from "./patch-key.ts";
import { readText } from "./read-scalar.ts";

/** A spec with the files that it extends laid under it. */
export interface ExtendedSpec {
  readonly node: SpecNode;
  /** What the files say of stages, the lowest first. */
  readonly stagePatches: readonly StagePatch[];
  /** Every file below it, and the place that names it. */
  readonly bases: ReadonlyMap<string, { readonly source: SourceText; readonly note: string }>;
  /** What each file makes of those below it, the lowest first; the last is the spec. */
  readonly layers: readonly { readonly file: string; readonly node: MapNode }[];
}

/** Follows `extends`: each file is a patch of the one that it extends; the extending file's `name` holds. */
export function readExtends(
  node: SpecNode,
  root: string,
  diagnostics: Diagnostics,
  budget: IncludeBudget = new IncludeBudget(),
): ExtendedSpec {
  const bases = new Map<string, { source: SourceText; note: string }>();
  if (node.kind !== "map") return { node, stagePatches: [], bases, layers: [] };
  const chain = [node];
  for (let current = node; ; ) {
    const base = readBase(current, chain, { root, diagnostics, budget });
    if (base === undefined) break;
    bases.set(base.source.file, base);
    chain.unshift(base.node);
    current = base.node;
  }
  return { ...laidOver(chain, diagnostics), bases };
}

function laidOver(
  chain: readonly MapNode[],
  diagnostics: Diagnostics,
): Pick<ExtendedSpec, "node" | "stagePatches" | "layers"> {
  const layers: { file: string; node: MapNode }[] = [];
  let result: Layered | undefined;
  for (const node of chain) {
    if (result === undefined) {
      const lowest =
        entry(node, "extends") === undefined ? withoutPatchKeys(node, diagnostics) : node;
      result = { node: without(lowest, stageKeys), stagePatches: [] };
    } else {
      const above: Layered = layOver(result, node, { diagnostics });
      result = { ...above, node: { ...above.node, ...positionOf(node) } };
    }
    layers.push({ file: node.file, node: result.node });
  }
  const [first] = chain;
  const { node, stagePatches } = result ?? { node: first as MapNode, stagePatches: [] };
  return { node, stagePatches, layers };
}

/** A file that extends nothing has nothing to patch. */
function withoutPatchKeys(node: MapNode, diagnostics: Diagnostics): MapNode {
  const keys = [...node.entries.keys()].filter((text) => {
    const { does } = patchKey(text);
    return does !== "set" || text === "stages";
  });
  for (const text of keys) {
    const { key, does } = patchKey(text);
    const what =
      does === "add" ? "adds to" : does === "remove" ? "removes from" : "changes stages of";
    const said = node.entries.get(text);
    if (said === undefined) continue;
    diagnostics.error(
      "LW-SPEC-PATCH",
      said.key,
      `\`${text}\` ${what} what the file extends, and it extends nothing`,
      key === "stages"
        ? "say it in `strategy`, or under an overlay"
        : `write \`${key}:\`, or \`${text}:\` under an overlay`,
    );
  }
  return keys.length === 0 ? node : without(node, keys);
}

interface Base {
  readonly node: MapNode;
  readonly source: SourceText;
  readonly note: string;
}

function readBase(
  node: MapNode,
  chain: readonly MapNode[],
  context: {
    readonly root: string;
    readonly diagnostics: Diagnostics;
    readonly budget: IncludeBudget;
  },
): Base | undefined {
  const { root, diagnostics, budget } = context;
  const said = entry(node, "extends");
  const path = said === undefined ? undefined : readText(said, diagnostics);
  if (said === undefined || path === undefined) return undefined;
  const source = readSource(posix.join(posix.dirname(said.file), path), { root });
  const trail = chain.map(({ file }) => file).toReversed();
  if (trail.includes(source.file)) {
    const way = [...trail.slice(trail.indexOf(source.file)), source.file].join(" → ");
    const message = `files extend each other in a circle: ${way}`;
    diagnostics.error("LW-FILE-EXTENDS-CYCLE", said, message);
    return undefined;
  }
  const fault = chainFault(chain.length) ?? budget.take(source.text.length);
  if (fault !== undefined) {
    const repair = "join some of the files";
    if (fault !== "") diagnostics.error("LW-FILE-CHAIN", said, fault, repair);
    return undefined;
  }
  const base = parseBase(source, said, diagnostics);
  if (base === undefined) return undefined;
  const note = `by \`extends\` at ${said.file}:${said.line}`;
  if (base.kind === "map") return { node: base, source, note };
  diagnostics.error("LW-VALUE-MAP-EXPECTED", base, "a file that is extended is a map", undefined, [
    note,
  ]);
  return undefined;
}

// A file that cannot be found or read is a fault of the line that names it.
function parseBase(
  source: SourceText,
  said: SpecNode,
  diagnostics: Diagnostics,
): SpecNode | undefined {
  const missing = source.problems?.find(
    ({ code }) =>
      code === "LW-FILE-MISSING" ||
      code === "LW-FILE-UNREADABLE" ||
      code === "LW-FILE-OUTSIDE-ROOT",
  );
  if (missing === undefined) return parseYaml(source, diagnostics);
  diagnostics.error(
    missing.code,
    said,
    missing.message,
    missing.suggestion ?? "a path is relative to the file that says it",
  );
  return undefined;
}
