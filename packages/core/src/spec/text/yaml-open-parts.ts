import type { YAMLParseError, YAMLWarning } from "yaml";
import type { YamlFinding } from "./yaml-finding.ts";
import type { YamlToken } from "./yaml-tokens.ts";

/** A quote that is never closed is told where it opens, not where the text ends. */
export function openQuote(
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

/** A bracket that nothing closes, or another one, is told where it opens. */
export function openBracket(
  fault: YAMLParseError | YAMLWarning,
  text: string,
  tokens: readonly YamlToken[],
): YamlFinding | undefined {
  const [start] = fault.pos;
  if (!/must end with a [\]}]|sufficiently indented and end with a/.test(fault.message))
    return undefined;
  // It is closed, but further to the left than its key.
  const isClosed = /^[\]}]$/.test(text[start] ?? "");
  const { opener, closer } = openAt(tokens, start);
  if (opener === undefined || (isClosed && closer === undefined)) return undefined;
  const [bracket, closing] = opener.type === "flow-map-start" ? ["{", "}"] : ["[", "]"];
  const place = { code: "LW-YAML-SYNTAX", start: opener.offset, end: opener.offset + 1 } as const;
  if (closer !== undefined) {
    const message = `the \`${bracket}\` that opens here meets a \`${closer.text}\``;
    return { ...place, message, suggestion: `close it with a \`${closing}\`` };
  }
  const message = `the \`${bracket}\` that opens here is never closed`;
  return {
    ...place,
    message,
    suggestion: `write a \`${closing}\` where it ends, or quote the text`,
  };
}

/** The innermost bracket that is open before an offset, and the bracket that does not fit it. */
function openAt(
  tokens: readonly YamlToken[],
  offset: number,
): { readonly opener?: YamlToken; readonly closer?: YamlToken } {
  const open: YamlToken[] = [];
  for (const token of tokens) {
    if (token.offset > offset) break;
    if (token.type === "flow-map-start" || token.type === "flow-seq-start") open.push(token);
    if (token.type !== "flow-map-end" && token.type !== "flow-seq-end") continue;
    const opener = open.at(-1);
    if (opener === undefined) continue;
    if (opener.type.slice(0, 8) !== token.type.slice(0, 8)) return { opener, closer: token };
    if (token.offset < offset) open.pop();
  }
  const opener = open.at(-1);
  return opener === undefined ? {} : { opener };
}
