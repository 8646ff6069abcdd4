import { isAscii, lookAlikeInPlain } from "./look-alikes.ts";
import { maxDepth } from "./spec-node.ts";
import { tooDeep, type YamlFinding } from "./yaml-finding.ts";
import { intendedEnd, quoteYaml, type YamlToken } from "./yaml-tokens.ts";

/** Finds what YAML would read without an error but not as it was meant: tags, bare `${` and `{{`, invisible spaces, directives. */
export function findYamlTraps(text: string, tokens: readonly YamlToken[]): YamlFinding[] {
  const findings: YamlFinding[] = [];
  let skipUntil = 0;
  let blockLevelsOnLine = 0;
  const open: ("map" | "list")[] = [];
  let index = -1;
  for (const token of tokens) {
    index += 1;
    if (token.type === "flow-map-start") open.push("map");
    if (token.type === "flow-seq-start") open.push("list");
    if (token.type === "flow-map-end" || token.type === "flow-seq-end") open.pop();
    if (token.flowDepth === 0 && !token.type.startsWith("flow-")) open.length = 0;
    if (token.offset < skipUntil) continue;
    if (token.type === "newline") blockLevelsOnLine = 0;
    if (token.type === "seq-item-ind" || token.type === "explicit-key-ind") blockLevelsOnLine += 1;
    if (token.flowDepth > maxDepth || blockLevelsOnLine > maxDepth) {
      return [tooDeep(token.offset, token.offset + 1)];
    }
    const finding =
      trapAt(text, tokens, index) ??
      lookAlikeAt(text, tokens, index, open.at(-1)) ??
      foldedItem(token);
    if (finding === undefined) continue;
    findings.push(finding);
    skipUntil = finding.end;
  }
  return findings;
}

function trapAt(
  text: string,
  tokens: readonly YamlToken[],
  index: number,
): YamlFinding | undefined {
  const token = tokens[index];
  if (token === undefined) return undefined;
  switch (token.type) {
    case "flow-map-start":
      return bareBraces(text, tokens, index);
    case "tag":
      return tag(text, token);
    case "directive-line":
      return directive(token);
    case "plain":
      return isAscii(token.text) ? undefined : invisible(token);
    default:
      return undefined;
  }
}

function lookAlikeAt(
  text: string,
  tokens: readonly YamlToken[],
  index: number,
  innermost: "map" | "list" | undefined,
): YamlFinding | undefined {
  const token = tokens[index];
  if (token?.type !== "plain" || isAscii(token.text)) return undefined;
  let before = index - 1;
  while (["space", "seq-item-ind"].includes(tokens[before]?.type ?? "")) before -= 1;
  const beginsLine = before < 0 || tokens[before]?.type === "newline";
  let comma = index - 1;
  while (["space", "newline", "comment"].includes(tokens[comma]?.type ?? "")) comma -= 1;
  const beginsEntry =
    innermost === "map" && ["flow-map-start", "comma"].includes(tokens[comma]?.type ?? "");
  const after = tokens[index + 1]?.type === "space" ? index + 2 : index + 1;
  const isKey = tokens[after]?.type === "map-value-ind";
  return lookAlikeInPlain(text, token, { innermost, beginsEntry, beginsLine, isKey });
}

function bareBraces(
  text: string,
  tokens: readonly YamlToken[],
  index: number,
): YamlFinding | undefined {
  const token = tokens[index];
  if (token === undefined) return undefined;
  const isSubstitution = text[token.offset - 1] === "$" && tokens[index - 1]?.type === "plain";
  const isTemplate = tokens[index + 1]?.type === "flow-map-start" && text[token.offset + 1] === "{";
  if (!isSubstitution && !isTemplate) return undefined;
  const start = valueStart(tokens, index);
  const end = intendedEnd(text, start, (tokens[index]?.flowDepth ?? 0) > 0);
  const suggestion = `quote it: ${quoteYaml(text.slice(start, end))}`;
  if (isSubstitution) {
    const message =
      "an unquoted `${` inside `{ }` or `[ ]` ends the text: YAML reads its brace as a map";
    return { code: "LW-YAML-UNQUOTED-SUBSTITUTION", start, end, message, suggestion };
  }
  return {
    code: "LW-YAML-UNQUOTED-TEMPLATE",
    start,
    end,
    message: "an unquoted `{{` is a map for YAML, not a template",
    suggestion,
  };
}

const valueBoundaries = new Set([
  "map-value-ind",
  "comma",
  "seq-item-ind",
  "flow-seq-start",
  "newline",
  "block-text",
]);

function valueStart(tokens: readonly YamlToken[], index: number): number {
  let start = tokens[index]?.offset ?? 0;
  for (let back = index - 1; back >= 0; back--) {
    const token = tokens[back];
    if (token === undefined || valueBoundaries.has(token.type)) break;
    if (token.type === "flow-map-start" && token.flowDepth < (tokens[index]?.flowDepth ?? 0)) break;
    if (token.type !== "space") start = token.offset;
  }
  return start;
}

function tag(text: string, token: YamlToken): YamlFinding {
  const end = intendedEnd(text, token.offset, token.flowDepth > 0);
  if (/^!(!|<)/.test(token.text)) {
    const message = `YAML tags like \`${token.text}\` are not allowed; types follow from the spec`;
    return {
      code: "LW-YAML-TAG",
      start: token.offset,
      end,
      message,
      suggestion: "delete the tag; quote the value if it must be text",
    };
  }
  return {
    code: "LW-YAML-TAG",
    start: token.offset,
    end,
    message: "an unquoted `!` starts a YAML tag, so the condition or text after it would be lost",
    suggestion: `quote it: ${quoteYaml(text.slice(token.offset, end))}`,
  };
}

function directive(token: YamlToken): YamlFinding | undefined {
  if (/^%YAML\s+1\.2\s*(#.*)?$/.test(token.text)) return undefined;
  const message = `the directive \`${token.text.trim()}\` is not allowed; only \`%YAML 1.2\` is`;
  return {
    code: "LW-YAML-DIRECTIVE",
    start: token.offset,
    end: token.offset + token.text.length,
    message,
    suggestion: "delete the line",
  };
}

// A list item indented too far is no item: YAML folds it into the text of the line above.
function foldedItem(token: YamlToken): YamlFinding | undefined {
  // Inside brackets, one of them is never closed.
  if (token.type !== "plain" || token.flowDepth > 0 || !token.text.includes("\n")) return undefined;
  const match = /\n[ \t]*(- [^\n]*)/.exec(token.text);
  if (match?.[1] === undefined) return undefined;
  const start = token.offset + match.index + match[0].length - match[1].length;
  return {
    code: "LW-YAML-INDENT",
    start,
    end: start + match[1].length,
    message: "this line is indented too far for a list item, so YAML adds it to the text above",
    suggestion: "indent the dash like the other items, or quote the text above",
  };
}

/** Matches one character that looks like a space or like nothing, but is no space for YAML. */
export const invisibleCharacter: RegExp =
  /[\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u2066-\u206f\u3000\ufeff]/u;
const inIndentation = new RegExp(`(?:^|\\n)[ \\t]*(${invisibleCharacter.source})`, "u");
const afterKey = new RegExp(`^(?:-|[\\w/-]+:)(${invisibleCharacter.source})`, "u");

function invisible(token: YamlToken): YamlFinding | undefined {
  const match = inIndentation.exec(token.text) ?? afterKey.exec(token.text);
  const character = match?.[1];
  if (match === null || character === undefined) return undefined;
  const start = token.offset + match.index + match[0].length - character.length;
  return {
    code: "LW-YAML-INVISIBLE",
    start,
    end: start + character.length,
    message: `${nameOfCharacter(character)} stands where YAML reads spaces`,
    suggestion: "replace it by an ordinary space, or quote the text",
  };
}

/** Names an invisible character for a message, like `U+00A0 (no-break space)`. */
export function nameOfCharacter(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  const names: ReadonlyMap<string, string> = new Map([
    ["U+00A0", "no-break space"],
    ["U+202F", "narrow no-break space"],
    ["U+3000", "ideographic space"],
    ["U+200B", "zero-width space"],
    ["U+FEFF", "byte-order mark"],
  ]);
  return `${code} (${names.get(code) ?? "an invisible character"})`;
}
