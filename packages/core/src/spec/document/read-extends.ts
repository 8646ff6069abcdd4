import { posix } from "node:path";
import type { Diagnostics } from "../text/diagnostic.ts";
import { parseYaml } from "../text/parse-yaml.ts";
import { readSource, type SourceText } from "../text/read-source.ts";
import { entry, type MapEntry, type MapNode, type SpecNode } from "../text/spec-node.ts";
import { readText } from "./read-scalar.ts";

/** A spec with the files that it extends laid under it. */
export interface ExtendedSpec {
  readonly node: SpecNode;
  /** Every file below it, and the place that names it. */
  readonly bases: ReadonlyMap<string, { readonly source: SourceText; readonly note: string }>;
}

/** Follows `extends`: maps merge, everything else of the extending file replaces; its `name` holds. */
export function readExtends(node: SpecNode, root: string, diagnostics: Diagnostics): ExtendedSpec {
  const bases = new Map<string, { source: SourceText; note: string }>();
  let result = node;
  let current = node;
  const trail = [node.file];
  for (;;) {
    const said = current.kind === "map" ? entry(current, "extends") : undefined;
    const path = said === undefined ? undefined : readText(said, diagnostics);
    if (said === undefined || path === undefined) break;
    const source = readSource(posix.join(posix.dirname(said.file), path), { root });
    if (trail.includes(source.file)) {
      const way = [...trail.slice(trail.indexOf(source.file)), source.file].join(" → ");
      diagnostics.error(
        "LW-FILE-EXTENDS-CYCLE",
        said,
        `files extend each other in a circle: ${way}`,
      );
      break;
    }
    const base = parseBase(source, said, diagnostics);
    if (base === undefined) break;
    bases.set(source.file, { source, note: `by \`extends\` at ${said.file}:${said.line}` });
    trail.push(source.file);
    result = mergeNodes(base, result);
    current = base;
  }
  return { node: result, bases };
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

/** Lays one value over another: maps merge key by key, everything else replaces. */
function mergeNodes(below: SpecNode, above: SpecNode): SpecNode {
  if (below.kind !== "map" || above.kind !== "map") return above;
  return mergeMaps(below, above);
}

function mergeMaps(below: MapNode, above: MapNode): MapNode {
  const entries = new Map<string, MapEntry>(below.entries);
  for (const [key, said] of above.entries) {
    const known = entries.get(key);
    entries.set(
      key,
      known === undefined ? said : { key: said.key, value: mergeNodes(known.value, said.value) },
    );
  }
  return { ...above, entries };
}
