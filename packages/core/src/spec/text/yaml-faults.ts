import type { YAMLParseError, YAMLWarning } from "yaml";
import type { DiagnosticCode } from "./diagnostic-codes.ts";
import { openBracket, openQuote } from "./yaml-open-parts.ts";
import { strayIndent } from "./yaml-indents.ts";
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
  const found =
    openQuote(fault, text, tokens) ??
    openBracket(fault, text, tokens) ??
    strayIndent(fault, text, tokens);
  if (found !== undefined) return found;
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
  const known = byCode.get(fault.code);
  if (known !== undefined) return known;
  const extra = /^Unexpected flow-(?:map|seq)-end token in YAML stream: "(.)"/.exec(
    fault.message,
  )?.[1];
  if (extra !== undefined) {
    const message = `nothing is open that this \`${extra}\` could close`;
    return { code: "LW-YAML-SYNTAX", message, suggestion: `delete the \`${extra}\`` };
  }
  if (fault.message.startsWith("Implicit map keys need to be followed by map values")) {
    const message = "this line is no `key: value`";
    return {
      code: "LW-YAML-SYNTAX",
      message,
      suggestion: "write a `:` behind the key, and a value",
    };
  }
  if (!fault.message.endsWith("at node end")) return { code: "LW-YAML-SYNTAX" };
  const startsLine = /^[ \t]*$/.test(text.slice(text.lastIndexOf("\n", start - 1) + 1, start));
  if (startsLine) {
    const message = "this line does not belong to the block above it";
    return { code: "LW-YAML-INDENT", message, suggestion: "check its indentation" };
  }
  const message = "something follows a value that has already ended";
  return { code: "LW-YAML-SYNTAX", message, suggestion: repairOfRest(text[start - 1], isInFlow) };
}

function repairOfRest(before: string | undefined, isInFlow: boolean): string {
  if (before === "'") return `write a ' inside the text twice, or put the text in "..."`;
  if (before === '"') return `write \\" for a " inside the text, or put the text in '...'`;
  return isInFlow ? quoteInFlow : "quote the whole value";
}
