import { isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import type { TextFault } from "../shared/inspect-file.ts";
import type { ScriptFault, ScriptPath } from "./script-fault.ts";

/** Where in the YAML or JSON of a script its faults stand. */
export function placeFaults(text: string, faults: readonly ScriptFault[]): readonly TextFault[] {
  if (faults.length === 0) return [];
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const startOf = ({ path, isKey }: ScriptFault): number => {
    const own = isKey ? startOfKey(document, path) : startOfValue(document, path);
    return own ?? startOfValue(document, path.slice(0, -1)) ?? 0;
  };
  return faults.map((fault) => {
    const { line, col } = lines.linePos(startOf(fault));
    const { message, repair } = fault;
    return { message, line: Math.max(line, 1), column: Math.max(col, 1), repair };
  });
}

type Tree = ReturnType<typeof parseDocument>;

function nodeAt(document: Tree, path: ScriptPath): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true);
}

function startOfValue(document: Tree, path: ScriptPath): number | undefined {
  const node = nodeAt(document, path);
  return isNode(node) ? node.range?.[0] : undefined;
}

function startOfKey(document: Tree, path: ScriptPath): number | undefined {
  const map = nodeAt(document, path.slice(0, -1));
  if (!isMap(map)) return undefined;
  const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1));
  return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
}
