import type { YAMLParseError, YAMLWarning } from "yaml";
import type { DiagnosticCode } from "./diagnostic-codes.ts";
import type { YamlToken } from "./yaml-tokens.ts";
import { tooDeep, type YamlFinding } from "./yaml-finding.ts";

interface Explanation {
  readonly code: DiagnosticCode;
  readonly message?: string;
  readonly suggestion?: string;
}

const quoteInFlow = 'inside `{ }` and `[ ]`, quote texts that hold any of , [ ] { } : "';
const tab: Explanation = {
  code: "LW-YAML-TAB",
  message: "a tab stands in the indentation; YAML takes spaces only",
  suggestion: "replace the tab by spaces",
};

const byCode: ReadonlyMap<string, Explanation> = new Map<string, Explanation>([
  ["TAB_AS_INDENT", tab],
  ["BAD_INDENT", { code: "LW-YAML-INDENT", suggestion: "check the indentation of this line" }],
  ["BAD_SCALAR_START", { code: "LW-YAML-SYNTAX", suggestion: "quote the value" }],
  [
    "BLOCK_AS_IMPLICIT_KEY",
    {
      code: "LW-YAML-SYNTAX",
      message: "a second `: ` on the line starts a map inside a value",
      suggestion: "quote the value, or put the inner map on its own line",
    },
  ],
  [
    "BLOCK_IN_FLOW",
    {
      code: "LW-YAML-SYNTAX",
      message: "a second `: ` stands in one value, or a comma is missing",
      suggestion: quoteInFlow,
    },
  ],
  [
    "MULTILINE_IMPLICIT_KEY",
    {
      code: "LW-YAML-INDENT",
      message: "this line is no `key: value` of the block above",
      suggestion: "check its indentation",
    },
  ],
  ["TAG_RESOLVE_FAILED", { code: "LW-YAML-TAG" }],
  ["BAD_DIRECTIVE", { code: "LW-YAML-DIRECTIVE" }],
  [
    "BAD_ALIAS",
    { code: "LW-YAML-ALIAS", suggestion: "quote the value if it is text that starts with `*`" },
  ],
  ["KEY_OVER_1024_CHARS", { code: "LW-YAML-KEY", suggestion: "write a shorter key" }],
  ["NON_STRING_KEY", { code: "LW-YAML-KEY", suggestion: "write the key as text" }],
  ["RESOURCE_EXHAUSTION", tooDeep(0, 0)],
]);

/** Turns a fault of the YAML parser into a finding in the words of the spec language. */
export function explainYamlFault(
  fault: YAMLParseError | YAMLWarning,
  text: string,
  tokens: readonly YamlToken[],
): YamlFinding {
  const open = openQuote(fault, text, tokens) ?? openBracket(fault, text, tokens);
  if (open !== undefined) return open;
  const [start, end] = fault.pos;
  const isInFlow = (tokens.findLast((token) => token.offset < start)?.flowDepth ?? 0) > 0;
  const {
    code,
    message,
    suggestion = isInFlow ? quoteInFlow : undefined,
  } = explain(fault, text, start, isInFlow);
  const told = message ?? fault.message.slice(0, 1).toLowerCase() + fault.message.slice(1);
  return { code, start, end, message: told, ...(suggestion === undefined ? {} : { suggestion }) };
}

/** A quote that is never closed is told where it opens, not where the text ends. */
function openQuote(
  fault: YAMLParseError | YAMLWarning,
  text: string,
  tokens: readonly YamlToken[],
): YamlFinding | undefined {
  if (!fault.message.startsWith("Missing closing") || !fault.message.endsWith("quote"))
    return undefined;
  const token = tokens.findLast(({ type }) => type.endsWith("-quoted-scalar"));
  if (token === undefined) return undefined;
  const quote = token.text.slice(0, 1);
  const lineEnd = text.indexOf("\n", token.offset);
  return {
    code: "LW-YAML-SYNTAX",
    start: token.offset,
    end: lineEnd === -1 ? text.length : lineEnd,
    message: `the quote ${quote} that opens here is never closed`,
    suggestion: `close it with ${quote} at the end of the text`,
  };
}

/** Like a quote, a bracket that is still open where the text ends is told where it opens. */
function openBracket(
  fault: YAMLParseError | YAMLWarning,
  text: string,
  tokens: readonly YamlToken[],
): YamlFinding | undefined {
  if (!/must end with a [\]}]|sufficiently indented and end with a/.test(fault.message))
    return undefined;
  if (text.slice(fault.pos[0]).trim() !== "") return undefined;
  const open: YamlToken[] = [];
  for (const token of tokens) {
    if (token.type === "flow-map-start" || token.type === "flow-seq-start") open.push(token);
    if (token.type === "flow-map-end" || token.type === "flow-seq-end") open.pop();
  }
  const token = open.at(-1);
  if (token === undefined) return undefined;
  const [bracket, closing] = token.type === "flow-map-start" ? ["{", "}"] : ["[", "]"];
  return {
    code: "LW-YAML-SYNTAX",
    start: token.offset,
    end: token.offset + 1,
    message: `the \`${bracket}\` that opens here is never closed`,
    suggestion: `write a \`${closing}\` where it ends, or quote the text`,
  };
}

function explain(
  fault: YAMLParseError | YAMLWarning,
  text: string,
  start: number,
  isInFlow: boolean,
): Explanation {
  const open = /^Flow (map|sequence) in block collection must be/.exec(fault.message)?.[1];
  if (open !== undefined) {
    const brackets =
      open === "map" ? "`{` is never closed by a `}`" : "`[` is never closed by a `]`";
    return {
      code: "LW-YAML-SYNTAX",
      message: `${brackets} that is indented more than its key`,
      suggestion: quoteInFlow,
    };
  }
  if (fault.code === "BAD_INDENT" && text[start] === "\t") return tab;
  const dash = missingDash(fault.message, text, start);
  if (dash !== undefined) return dash;
  const known = byCode.get(fault.code);
  if (known !== undefined) return known;
  if (!fault.message.endsWith("at node end")) return { code: "LW-YAML-SYNTAX" };
  const startsLine = /^[ \t]*$/.test(text.slice(text.lastIndexOf("\n", start - 1) + 1, start));
  if (startsLine) {
    const message = "this line does not belong to the block above it";
    return { code: "LW-YAML-INDENT", message, suggestion: "check its indentation" };
  }
  const message = "something follows a value that has already ended";
  return {
    code: "LW-YAML-SYNTAX",
    message,
    suggestion: isInFlow ? quoteInFlow : "quote the whole value",
  };
}

/** A key in the column of the dashes above it, where a map stood before the list. */
function missingDash(message: string, text: string, start: number): Explanation | undefined {
  if (!message.startsWith("All mapping items must start at the same column")) return undefined;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const [, indent = "", key] = /^( *)([A-Za-z][\w.-]*):(?:\s|$)/.exec(text.slice(lineStart)) ?? [];
  if (key === undefined) return undefined;
  const above = text.slice(0, lineStart).trimEnd().split("\n");
  const sibling = above.findLast((line) => line.trim() !== "" && indentOf(line) <= indent.length);
  if (sibling === undefined || indentOf(sibling) !== indent.length) return undefined;
  if (!sibling.trimStart().startsWith("- ")) return undefined;
  return {
    code: "LW-YAML-INDENT",
    message: `\`${key}\` stands in the column of a list's dashes and has none`,
    suggestion: `write \`- ${key}: ...\`, and indent what stands under it by 2 more`,
  };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
