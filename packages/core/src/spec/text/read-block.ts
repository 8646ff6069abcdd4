import { Composer, LineCounter, Parser, type CST, type Document } from "yaml";
import type { SpecNode } from "./spec-node.ts";
import type { Position } from "./position.ts";
import type { YamlFinding } from "./yaml-finding.ts";
import { explainYamlFault } from "./yaml-faults.ts";
import { convertDocument, type ConvertOptions } from "./yaml-convert.ts";
import { surveyLexemes } from "./survey-lexemes.ts";
import { lexYaml, tokenizeYaml } from "./yaml-tokens.ts";
import { findYamlTraps } from "./yaml-traps.ts";

/** A stretch of YAML to read by itself, and where it stands. */
export interface BlockPlace {
  readonly file: string;
  readonly text: string;
  /** Of its first line, from 0. */
  readonly row: number;
  readonly within?: ConvertOptions["within"];
  readonly counted: ConvertOptions["counted"];
}

/** A finding with its place in the file. */
export interface PlacedFinding extends Omit<YamlFinding, "start" | "end"> {
  readonly at: Position;
}

/** What a stretch of YAML holds. */
export interface ReadBlock {
  /** Missing where it can't be read at all. */
  readonly node?: SpecNode;
  readonly findings: readonly PlacedFinding[];
  /** Whether it sets or uses an anchor. */
  readonly hasAnchors: boolean;
}

/** Reads a stretch of YAML: a whole document, one entry of the outermost map or some items of a list. */
export function readBlock(place: BlockPlace): ReadBlock {
  const { text, within, counted } = place;
  const findings: PlacedFinding[] = [];
  const position = placesIn(place);
  const report = (finding: YamlFinding): void => {
    const { start, end, ...told } = finding;
    findings.push({ ...told, at: position(start, end) });
  };
  const lexemes = lexYaml(text);
  const { hasAnchors, mayHoldTraps } = surveyLexemes(lexemes);
  const traps = mayHoldTraps ? findYamlTraps(text, tokenizeYaml(lexemes)) : [];
  for (const trap of traps) report(trap);
  if (traps.some(({ code }) => !spoilsValue.has(code))) return { findings, hasAnchors };
  const isClean = traps.length === 0;
  const sound = isClean ? text : maskedText(text, traps);
  // What a trap brings about is not told beside it.
  const document = isClean
    ? composeOne(text, lexemes, report)
    : composeOne(sound, lexYaml(sound), () => {});
  if (document === undefined) return { findings, hasAnchors };
  const options = { text: sound, position, report, counted, spoiled: traps };
  const node = convertDocument(document, within === undefined ? options : { ...options, within });
  return { node, findings, hasAnchors };
}

// Traps that spoil one value, and leave what stands beside it.
const spoilsValue: ReadonlySet<string> = new Set([
  "LW-YAML-TAG",
  "LW-YAML-UNQUOTED-SUBSTITUTION",
  "LW-YAML-UNQUOTED-TEMPLATE",
]);

/** The text with a plain word of the same length where a trap stands, so that YAML can read what stands beside it. */
function maskedText(text: string, traps: readonly YamlFinding[]): string {
  let masked = "";
  let at = 0;
  for (const { start, end } of traps) {
    masked += text.slice(at, start) + "x".repeat(Math.max(0, end - Math.max(start, at)));
    at = Math.max(at, end);
  }
  return masked + text.slice(at);
}

// Values are converted in the order of the file, so most of them stand in the line of the one before or in the next one.
function placesIn({ file, text, row: firstRow }: BlockPlace): ConvertOptions["position"] {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1))
    lines.addNewLine(index + 1);
  const startOf = (row: number): number => lines.lineStarts[row] ?? Number.POSITIVE_INFINITY;
  const isIn = (row: number, offset: number): boolean =>
    offset >= startOf(row) && offset < startOf(row + 1);
  let row = 0;
  return (from, to) => {
    if (!isIn(row, from)) row = isIn(row + 1, from) ? row + 1 : lines.linePos(from).line - 1;
    const start = startOf(row);
    const line = firstRow + row + 1;
    const column = from - start + 1;
    return to > from && isIn(row, to)
      ? { file, line, column, endColumn: to - start + 1 }
      : { file, line, column };
  };
}

// The text is split once, for the traps and for the parser.
function* syntaxOf(lexemes: readonly string[]): Generator<CST.Token, void> {
  const parser = new Parser();
  for (const lexeme of lexemes) yield* parser.next(lexeme);
  yield* parser.end();
}

function composeOne(
  text: string,
  lexemes: readonly string[],
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
    report(explainYamlFault(fault, text, tokenizeYaml(lexemes)));
    return undefined;
  }
  if (second !== undefined) {
    const start =
      tokenizeYaml(lexemes).findLast(
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
    const suggestion =
      "begin with `apiVersion: loopwright/v1`, or write one with `loopwright init`";
    report({ code: "LW-FILE-EMPTY", start: 0, end: 0, message: "the file is empty", suggestion });
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
