import type { TextEdit } from "vscode-languageserver/node";
import type { OpenSpec } from "./open-spec.ts";
import type { OutlineEntry, OutlineNode, OutlineScalar } from "./outline-node.ts";

/** The edit that gives an id to a stage that has none; `at` is where its strategy stands. */
export function idEdit(
  spec: OpenSpec,
  at: { readonly line: number; readonly column: number },
  id: string,
): TextEdit | undefined {
  const offset = spec.document.offsetAt({ line: at.line - 1, character: at.column - 1 });
  const found = stageAt(spec.outline, offset);
  if (found === undefined) return undefined;
  const insert = (where: number, newText: string): TextEdit => {
    const position = spec.document.positionAt(where);
    return { range: { start: position, end: position }, newText };
  };
  if (!("hasColon" in found)) return insert(found.end, `: { id: ${id} }`);
  const { value, colon } = found;
  if (value === undefined) return insert(colon + 1, ` { id: ${id} }`);
  if (value.kind !== "map") return undefined;
  if (!value.isFlow) return insert(value.start, `id: ${id}\n${" ".repeat(value.column)}`);
  return insert(value.start + 1, value.entries.length === 0 ? ` id: ${id}` : ` id: ${id},`);
}

/** The word, or the key, that begins at an offset. */
function stageAt(
  node: OutlineNode | undefined,
  offset: number,
): OutlineScalar | OutlineEntry | undefined {
  if (node === undefined || offset < node.start || offset > node.end) return undefined;
  if (node.kind === "scalar") return node.start === offset ? node : undefined;
  if (node.kind === "list")
    return node.items.map((item) => stageAt(item, offset)).find((found) => found !== undefined);
  const entry = node.entries.find(({ start }) => start === offset);
  if (entry !== undefined) return entry;
  return node.entries
    .map(({ value }) => stageAt(value, offset))
    .find((found) => found !== undefined);
}
