import { CST, Lexer } from "yaml";

/** A lexical token of a YAML text; `plain` and `block-text` are scalars, the other types are those of the yaml package. */
export interface YamlToken {
  readonly type: string;
  readonly text: string;
  readonly offset: number;
  /** How many `{` or `[` are open before this token. */
  readonly flowDepth: number;
}

/** The lexeme before one that is a scalar. */
export const scalarFollows: string = "\u001f";

/** Splits a YAML text into the lexemes of the yaml package, without recursion and in linear time. */
export function lexYaml(text: string): readonly string[] {
  return [...new Lexer().lex(text)];
}

/** Turns the lexemes of a YAML text into tokens with their places. */
export function tokenizeYaml(lexemes: readonly string[]): YamlToken[] {
  const tokens: YamlToken[] = [];
  let offset = 0;
  let flowDepth = 0;
  let scalarIsNext = false;
  let blockHeaderSeen = false;
  for (const source of lexemes) {
    if (scalarIsNext) {
      tokens.push({
        type: blockHeaderSeen ? "block-text" : "plain",
        text: source,
        offset,
        flowDepth,
      });
      scalarIsNext = false;
      blockHeaderSeen = false;
      offset += source.length;
      continue;
    }
    if (source === scalarFollows) {
      scalarIsNext = true;
      continue;
    }
    const type = CST.tokenType(source) ?? "unknown";
    if (type === "doc-mode" || type === "flow-error-end") {
      flowDepth = 0;
      continue;
    }
    if (type === "flow-map-end" || type === "flow-seq-end") flowDepth = Math.max(0, flowDepth - 1);
    tokens.push({ type, text: source, offset, flowDepth });
    if (type === "flow-map-start" || type === "flow-seq-start") flowDepth += 1;
    if (type === "block-scalar-header") blockHeaderSeen = true;
    offset += source.length;
  }
  return tokens;
}

/** Returns where an unquoted value ends that was meant as one text: at the comma or bracket around it, a comment or the end of the line. */
export function intendedEnd(text: string, start: number, isInFlow: boolean): number {
  let depth = 0;
  let index = start;
  for (; index < text.length; index++) {
    const character = text[index] ?? "";
    if (character === "\n" || character === "\r") break;
    if (depth === 0 && character === "#" && /\s/.test(text[index - 1] ?? "")) break;
    if ("({[".includes(character)) depth += 1;
    else if (")}]".includes(character)) {
      if (depth === 0 && isInFlow) break;
      depth = Math.max(0, depth - 1);
    } else if (character === "," && depth === 0 && isInFlow) break;
  }
  return start + text.slice(start, index).trimEnd().length;
}

/** Writes a text as a quoted YAML scalar, in the quotes that need the fewest escapes. */
export function quoteYaml(text: string): string {
  if (!/["\\]/.test(text)) return `"${text}"`;
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`;
}
