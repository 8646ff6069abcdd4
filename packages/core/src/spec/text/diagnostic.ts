import type { DiagnosticCode } from "./diagnostic-codes.ts";
import type { Position } from "./position.ts";
import type { SpecNode } from "./spec-node.ts";

export type { Position } from "./position.ts";

/** How bad a diagnostic is: an error stops the spec, a warning does not. */
export type Severity = "error" | "warning";

/** One finding about a spec: what is wrong, where, and how to mend it. */
export interface Diagnostic extends Position {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** The place inside the spec, like `strategy[1].verify.maxRounds`; empty when there is none. */
  readonly path: string;
  readonly suggestion?: string;
  readonly notes?: readonly string[];
}

/** Collects the diagnostics of one check. */
export class Diagnostics {
  readonly #items: Diagnostic[] = [];
  readonly #judgedSecrets = new Set<string>();
  #errorCount = 0;

  /** Records an error at a node or position. */
  error(
    code: DiagnosticCode,
    node: SpecNode | Position,
    message: string,
    suggestion?: string,
    notes?: readonly string[],
  ): void {
    this.#add("error", code, node, message, suggestion, notes);
  }

  /** Records a warning at a node or position. */
  warn(
    code: DiagnosticCode,
    node: SpecNode | Position,
    message: string,
    suggestion?: string,
    notes?: readonly string[],
  ): void {
    this.#add("warning", code, node, message, suggestion, notes);
  }

  /** Records a finding of another collection as it is. */
  add(found: Diagnostic): void {
    if (found.severity === "error") this.#errorCount += 1;
    this.#items.push(found);
  }

  /** The diagnostics in the order in which they were found. */
  get items(): readonly Diagnostic[] {
    return this.#items;
  }

  /** Whether at least one error was found. */
  get hasErrors(): boolean {
    return this.#errorCount > 0;
  }

  /** How many errors were found. */
  get errorCount(): number {
    return this.#errorCount;
  }

  /** Says that a reader has decided what a secret at this place means: allowed there, or refused and reported. */
  judgeSecret(node: SpecNode): void {
    this.#judgedSecrets.add(placeKey(node));
  }

  /** Whether a reader has decided what a secret at this place means. */
  isSecretJudged(node: SpecNode): boolean {
    return this.#judgedSecrets.has(placeKey(node));
  }

  /** The diagnostics by file, line, column and code. */
  sorted(): readonly Diagnostic[] {
    return this.#items.toSorted(
      (a, b) =>
        compareText(a.file, b.file) ||
        a.line - b.line ||
        a.column - b.column ||
        compareText(a.code, b.code),
    );
  }

  #add(
    severity: Severity,
    code: DiagnosticCode,
    node: SpecNode | Position,
    message: string,
    suggestion: string | undefined,
    notes: readonly string[] | undefined,
  ): void {
    // What stands for a value that could not be had is told already.
    if ("isUnset" in node && node.isUnset) return;
    this.add({
      file: node.file,
      line: node.line,
      column: node.column,
      ...(node.endColumn === undefined ? {} : { endColumn: node.endColumn }),
      code,
      severity,
      message,
      path: "path" in node ? node.path : "",
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(notes === undefined || notes.length === 0 ? {} : { notes }),
    });
  }
}

/** Prints a diagnostic as `file:line:column CODE message`, with an excerpt, notes and the repair when there are any. */
export function formatDiagnostic(d: Diagnostic, sourceLines?: readonly string[]): string {
  const mark = d.severity === "warning" ? " warning:" : "";
  // What the command line says has no lines.
  const place = d.file.startsWith("--") ? d.file : `${d.file}:${d.line}:${d.column}`;
  const lines = [`${place} ${d.code}${mark} ${d.message}`];
  const source = sourceLines?.[d.line - 1];
  if (source !== undefined) lines.push(...excerpt(d, source));
  for (const note of d.notes ?? []) lines.push(`note: ${note}`);
  if (d.suggestion !== undefined) lines.push(`fix: ${d.suggestion}`);
  return lines.map(withoutControlCharacters).join("\n");
}

const maxExcerptLength = 120;
const excerptLead = 40;

function excerpt(d: Diagnostic, source: string): string[] {
  const isFar = d.column > maxExcerptLength - excerptLead;
  const from = isFar ? wholeCharacterAt(source, d.column - 1 - excerptLead) : 0;
  const to = wholeCharacterAt(source, from + maxExcerptLength);
  const [lead, tail] = [from > 0 ? cut : "", source.slice(to).trim() === "" ? "" : cut];
  const shown = withoutControlCharacters(source.slice(from, to).trimEnd());
  const before = shown.slice(0, d.column - 1 - from);
  const marked = shown.slice(d.column - 1 - from, Math.max(d.column, d.endColumn ?? 0) - 1 - from);
  const gutter = `${d.line} | `;
  const caretGutter = `${" ".repeat(gutter.length - 2)}| `;
  return [
    `${gutter}${lead}${shown}${tail}`,
    `${caretGutter}${blank(`${lead}${before}`)}${"^".repeat(Math.max(1, blank(marked).length))}`,
  ];
}

/** Marks where an excerpt leaves out a part of its line. */
const cut = "\u2026";

// What belongs to the character before it: the second half of a pair, a mark, a joiner, a tone.
const continuation = /[\udc00-\udfff]|\u200d|\p{M}|\p{Emoji_Modifier}/u;

const maxCharacterLength = 30;

/** The offset, or the nearest one before it where a character begins. */
function wholeCharacterAt(text: string, offset: number): number {
  const first = Math.min(offset, text.length);
  let at = first;
  const isInside = (): boolean =>
    continuation.test(String.fromCodePoint(text.codePointAt(at) ?? 0)) || text[at - 1] === "\u200d";
  while (at > 0 && at < text.length && isInside()) {
    // A text of marks alone has no beginnings; half a pair is never shown.
    if (first - at >= maxCharacterLength && !/[\udc00-\udfff]/u.test(text[at] ?? "")) break;
    at -= 1;
  }
  return at;
}

// East Asian wide characters take two columns of a terminal.
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

function blank(text: string): string {
  let result = "";
  for (const character of text)
    result += character === "\t" ? "\t" : wide.test(character) ? "  " : " ";
  return result;
}

// A spec is untrusted text: its escape sequences must not reach a terminal.
const unprintable =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function withoutControlCharacters(line: string): string {
  return line.replace(unprintable, "\ufffd");
}

// Values set on the command line share one position, so their path tells them apart.
function placeKey({ file, line, column, path }: SpecNode): string {
  return `${file}:${line}:${column}:${path}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
