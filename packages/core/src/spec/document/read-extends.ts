import { posix } from "node:path";
import { Diagnostics } from "../text/diagnostic.ts";
import { missingFileRepair } from "../text/missing-file.ts";
import { chainFault, IncludeBudget } from "../text/include-budget.ts";
import { type ReadYaml, readYaml } from "../text/parse-yaml.ts";
import { readSource, type SourceText } from "../text/read-source.ts";
import type { YamlMemory } from "../text/yaml-memory.ts";
import { entry, type MapNode, positionOf, type SpecNode } from "../text/spec-node.ts";
import { type Layered, layOver, type StagePatch, stageKeys } from "./lay-over.ts";
import { without } from "./named-entries.ts";
import { shownValue } from "./node-text.ts";
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
  /** The outermost keys in which something of the files below is lost; `*` where that may be any. */
  readonly lost: ReadonlySet<string>;
}

interface ExtendContext {
  readonly root: string;
  readonly diagnostics: Diagnostics;
  readonly budget?: IncludeBudget;
  readonly memory?: YamlMemory;
}

/** Follows `extends`: each file is a patch of the one that it extends; the extending file's `name` holds. */
export function readExtends(node: SpecNode, settings: ExtendContext): ExtendedSpec {
  const { diagnostics } = settings;
  const bases = new Map<string, { source: SourceText; note: string }>();
  const lost = new Set<string>();
  if (node.kind !== "map") return { node, stagePatches: [], bases, layers: [], lost };
  const chain = [node];
  const context = { budget: new IncludeBudget(), ...settings };
  for (let current = node; ; ) {
    const base = readBase(current, chain, context);
    if (base === undefined) break;
    bases.set(base.source.file, base);
    for (const key of base.lost) lost.add(key);
    chain.unshift(base.node);
    current = base.node;
  }
  // Where the last file names a base that is not there, nothing is known of what it holds.
  if (chain[0]?.entries.has("extends")) lost.add("*");
  return { ...laidOver(chain, diagnostics), bases, lost };
}

function laidOver(
  chain: readonly MapNode[],
  diagnostics: Diagnostics,
): Pick<ExtendedSpec, "node" | "stagePatches" | "layers"> {
  const layers: { file: string; node: MapNode }[] = [];
  let result: Layered | undefined;
  for (const node of chain) {
    if (result === undefined) {
      const isLowest = entry(node, "extends") === undefined;
      const lowest = withoutPatchKeys(node, isLowest ? diagnostics : new Diagnostics());
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
        : does === "add" && said.value.kind === "scalar"
          ? `write \`${key}:\``
          : `write \`${key}:\`, or \`${text}:\` under an overlay`,
    );
  }
  return keys.length === 0 ? node : without(node, keys);
}

interface Base {
  readonly node: MapNode;
  readonly source: SourceText;
  readonly note: string;
  readonly lost: ReadonlySet<string>;
}

function readBase(
  node: MapNode,
  chain: readonly MapNode[],
  context: ExtendContext & { readonly budget: IncludeBudget },
): Base | undefined {
  const { root, diagnostics, budget } = context;
  const said = entry(node, "extends");
  const path = said === undefined ? undefined : readText(said, diagnostics);
  if (said === undefined || path === undefined) return undefined;
  if (path === "") {
    const repair = "write `extends: ./base.yaml`, or delete the line";
    diagnostics.error("LW-FILE-MISSING", said, "`extends` names no file", repair);
    return undefined;
  }
  const source = readSource(posix.join(posix.dirname(said.file), path), { root });
  const trail = chain.map(({ file }) => file).toReversed();
  if (trail.includes(source.file)) {
    const way = [...trail.slice(trail.indexOf(source.file)), source.file].join(" → ");
    const message = `files extend each other in a circle: ${way}`;
    const repair = `delete this \`extends\`, or extend a file outside the circle`;
    diagnostics.error("LW-FILE-EXTENDS-CYCLE", said, message, repair);
    return undefined;
  }
  const fault = chainFault(chain.length) ?? budget.take(source.text.length);
  if (fault !== undefined) {
    const repair = "join some of the files";
    if (fault !== "") diagnostics.error("LW-FILE-CHAIN", said, fault, repair);
    return undefined;
  }
  const { node: base, lost } = parseBase(source, said, context);
  if (base === undefined) return undefined;
  const note = `by \`extends\` at ${said.file}:${said.line}`;
  if (base.kind === "map") return { node: base, source, note, lost };
  const message = `a file that is extended is a map, not ${shownValue(base)}`;
  const repair = "begin with `apiVersion: loopwright/v1`";
  diagnostics.error("LW-VALUE-MAP-EXPECTED", base, message, repair, [note]);
  return undefined;
}

// A file that cannot be found or read is a fault of the line that names it.
function parseBase(
  source: SourceText,
  said: SpecNode,
  { diagnostics, memory, root }: ExtendContext,
): ReadYaml {
  const missing = source.problems?.find(
    ({ code }) =>
      code === "LW-FILE-MISSING" ||
      code === "LW-FILE-UNREADABLE" ||
      code === "LW-FILE-OUTSIDE-ROOT",
  );
  if (missing === undefined) return readYaml(source, diagnostics, memory);
  diagnostics.error(
    missing.code,
    said,
    missing.message,
    missing.suggestion ?? missingFileRepair(source.file, root, said.file),
  );
  return { lost: new Set("*") };
}
