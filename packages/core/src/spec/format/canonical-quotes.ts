import { isScalar, visit, type Document, type Scalar } from "yaml";

/** A piece of a text and what stands in its place. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds the quotes to change: what a YAML 1.1 reader would take for something other than text is quoted, and a quoted text
 * stands in double quotes, or in single ones where it holds double quotes or backslashes itself.
 */
export function quoteEdits(document: Document, source: string): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  visit(document, {
    Scalar(_key, node) {
      const text = quoted(node, source);
      const [start, end] = node.range ?? [0, 0];
      if (text !== undefined && text !== source.slice(start, end)) edits.push({ start, end, text });
    },
  });
  return edits.toSorted((a, b) => a.start - b.start);
}

// Booleans, null, numbers in any base, with underscores or base 60, times, and the two signs with a meaning of their own.
const misread: readonly RegExp[] = [
  /^(?:~|null|y|n|yes|no|on|off|true|false|=|<<)$/i,
  /^[-+]?(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+)$/,
  /^[-+]?[\d][\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/,
  /^[-+]?(?:\d[\d_]*)?\.?[\d_]+(?:[eE][-+]?\d+)?\.?$/,
  /^[-+]?\.(?:inf|nan)$/i,
  /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|[ \t]+)\d{1,2}:\d{2}.*)?$/,
];

/** Whether a YAML 1.1 reader takes an unquoted text for something else. */
function isMisread(text: string): boolean {
  return misread.some((pattern) => pattern.test(text));
}

function quoted(node: Scalar, source: string): string | undefined {
  const { value } = node;
  if (!isScalar(node) || typeof value !== "string") return undefined;
  if (node.type === "PLAIN" || node.type === undefined)
    return isMisread(value) ? inQuotes(value) : undefined;
  if (node.type !== "QUOTE_SINGLE" && node.type !== "QUOTE_DOUBLE") return undefined;
  const [start, end] = node.range ?? [0, 0];
  const hasEscapes = node.type === "QUOTE_DOUBLE" && /\\[^"\\]/.test(source.slice(start, end));
  return hasEscapes ? undefined : inQuotes(value);
}

function inQuotes(text: string): string | undefined {
  if (/[^\P{C}\p{Cf}]|[\u2028\u2029]/u.test(text)) return undefined;
  if (!/["\\]/.test(text)) return `"${text}"`;
  return text.includes("'") ? undefined : `'${text}'`;
}
