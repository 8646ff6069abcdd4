import type { Diagnostics, Position } from "./diagnostic.ts";
import { type ReadParts, type ReadYaml, readBlocks } from "./read-blocks.ts";
import { readBlock } from "./read-block.ts";
import { maxSourceBytes, type SourceText } from "./read-source.ts";
import type { SpecNode } from "./spec-node.ts";
import { splitYaml } from "./yaml-blocks.ts";
import { YamlMemory } from "./yaml-memory.ts";

export type { ReadYaml } from "./read-blocks.ts";

/** Parses one YAML or JSON document under the rules of the spec language; undefined when the file has any error, all of which are reported. */
export function parseYaml(source: SourceText, diagnostics: Diagnostics): SpecNode | undefined {
  const { node, lost } = readYaml(source, diagnostics);
  return lost.size > 0 ? undefined : node;
}

/** Reads a YAML or JSON document and reports its errors; what an error spoils is left out, or stands as lost. */
export function readYaml(
  source: SourceText,
  diagnostics: Diagnostics,
  memory: YamlMemory = new YamlMemory(),
): ReadYaml {
  const { file, text } = source;
  const start: Position = { file, line: 1, column: 1 };
  if (source.problems !== undefined && source.problems.length > 0) {
    for (const { code, line, column, message, suggestion } of source.problems)
      diagnostics.error(code, { file, line, column }, message, suggestion);
    return nothing;
  }
  if (text.length > maxSourceBytes) {
    const message = `the file has more than ${maxSourceBytes} characters`;
    diagnostics.error("LW-FILE-TOO-LARGE", start, message, "move parts to files of their own");
    return nothing;
  }
  const blocks = splitYaml(text);
  const parts = blocks === undefined ? undefined : readBlocks(blocks, file, memory);
  const { node, findings, lost } = parts ?? readWhole(file, text);
  for (const { code, at, message, suggestion, notes } of findings)
    diagnostics.error(code, at, message, suggestion, notes);
  return node === undefined ? nothing : { node, lost };
}

const nothing: ReadYaml = { lost: new Set("*") };

function readWhole(file: string, text: string): ReadParts {
  const read = readBlock({ file, text, row: 0, counted: { values: 0 } });
  return { ...read, lost: new Set(read.findings.length === 0 ? "" : "*") };
}
