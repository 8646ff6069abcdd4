import { formatSpec } from "@loopwright/core";
import type { TextEdit } from "vscode-languageserver/node";
import type { OpenSpec } from "./open-spec.ts";

/** The edit that writes a spec as `loopwright fmt` does; none where it stands so, or can't be read. */
export function format(spec: OpenSpec): readonly TextEdit[] {
  const { text } = spec;
  const formatted = formatSpec(text);
  if (!formatted.ok || formatted.text === text) return [];
  const end = spec.document.positionAt(text.length);
  return [{ range: { start: { line: 0, character: 0 }, end }, newText: formatted.text }];
}
