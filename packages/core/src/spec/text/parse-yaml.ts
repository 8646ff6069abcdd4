import { Composer, LineCounter, Parser, type CST, type Document } from "yaml";
import type { Diagnostics, Position } from "./diagnostic.ts";
import { maxSourceBytes, type SourceText } from "./read-source.ts";
import type { SpecNode } from "./spec-node.ts";
import type { YamlFinding } from "./yaml-finding.ts";
import { explainYamlFault } from "./yaml-faults.ts";
import { convertDocument, type ConvertOptions } from "./yaml-convert.ts";
import { lexYaml, tokenizeYaml, type YamlToken } from "./yaml-tokens.ts";
import { findYamlTraps } from "./yaml-traps.ts";

/** Parses one YAML or JSON document under the rules of the spec language; undefined when the file has any error, all of which are reported. */
export function parseYaml(source: SourceText, diagnostics: Diagnostics): SpecNode | undefined {
  const { file, text } = source;
  const start: Position = { file, line: 1, column: 1 };
  if (source.problems !== undefined && source.problems.length > 0) {
    for (const { code, line, column, message, suggestion } of source.problems)
      diagnostics.error(code, { file, line, column }, message, suggestion);
    return undefined;
  }
  if (text.length > maxSourceBytes) {
    diagnostics.error(
      "LW-FILE-TOO-LARGE",
      start,
      `the file has more than ${maxSourceBytes} characters`,
    );
    return undefined;
  }
  const lines = new LineCounter();
  countLines(text, lines);
  const position = placesIn(file, lines);
  let errorCount = 0;
  const report = (finding: YamlFinding): void => {
    errorCount += 1;
    diagnostics.error(
      finding.code,
      position(finding.start, finding.end),
      finding.message,
      finding.suggestion,
      finding.notes,
    );
  };
  const lexemes = lexYaml(text);
  const tokens = tokenizeYaml(lexemes);
  for (const trap of findYamlTraps(text, tokens)) report(trap);
  if (errorCount > 0) return undefined;
  const document = composeOne({ text, lexemes, tokens }, report);
  if (document === undefined) return undefined;
  const root = convertDocument(document, { text, position, report });
  return errorCount > 0 ? undefined : root;
}

function countLines(text: string, lines: LineCounter): void {
  lines.addNewLine(0);
  for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1))
    lines.addNewLine(index + 1);
}

// Values are converted in the order of the file, so most of them stand in the line of the one before or in the next one.
function placesIn(file: string, lines: LineCounter): ConvertOptions["position"] {
  const startOf = (row: number): number => lines.lineStarts[row] ?? Number.POSITIVE_INFINITY;
  const isIn = (row: number, offset: number): boolean =>
    offset >= startOf(row) && offset < startOf(row + 1);
  let row = 0;
  return (from, to) => {
    if (!isIn(row, from)) row = isIn(row + 1, from) ? row + 1 : lines.linePos(from).line - 1;
    const start = startOf(row);
    const at = { file, line: row + 1, column: from - start + 1 };
    return to > from && isIn(row, to) ? { ...at, endColumn: to - start + 1 } : at;
  };
}

interface Lexed {
  readonly text: string;
  readonly lexemes: readonly string[];
  readonly tokens: readonly YamlToken[];
}

// The text is split once, for the traps and for the parser.
function* syntaxOf(lexemes: readonly string[]): Generator<CST.Token, void> {
  const parser = new Parser();
  for (const lexeme of lexemes) yield* parser.next(lexeme);
  yield* parser.end();
}

function composeOne(
  { text, lexemes, tokens }: Lexed,
  report: (finding: YamlFinding) => void,
): Document | undefined {
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    uniqueKeys: false,
    strict: true,
    prettyErrors: false,
    logLevel: "silent",
  });
  const [document, second] = [...composer.compose(syntaxOf(lexemes), true, text.length)];
  if (document === undefined) return undefined;
  const fault = [...document.errors, ...document.warnings].toSorted(
    (a, b) => a.pos[0] - b.pos[0],
  )[0];
  if (fault !== undefined) {
    // One fault makes the parser report several in its wake, so only the first one is told.
    report(explainYamlFault(fault, text, tokens));
    return undefined;
  }
  if (second !== undefined) {
    const start =
      tokens.findLast(
        (token) => token.type === "doc-start" && token.offset > (document.range[0] ?? 0),
      )?.offset ?? second.range[0];
    const message = "a second YAML document starts here; a file holds one";
    report({
      code: "LW-YAML-DOCUMENTS",
      start,
      end: start + 3,
      message,
      suggestion: "move it to a file of its own, or delete the `---`",
    });
    return undefined;
  }
  if (isEmpty(document)) {
    report({ code: "LW-FILE-EMPTY", start: 0, end: 0, message: "the file is empty" });
    return undefined;
  }
  return document;
}

function isEmpty(document: Document): boolean {
  const contents: unknown = document.contents;
  return (
    contents === null ||
    (typeof contents === "object" && "value" in contents && contents.value === null)
  );
}
