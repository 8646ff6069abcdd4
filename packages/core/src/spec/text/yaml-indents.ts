import type { YAMLParseError, YAMLWarning } from "yaml";
import type { YamlFinding } from "./yaml-finding.ts";
import type { YamlToken } from "./yaml-tokens.ts";

/** A line whose indentation fits no block above it, told where its text begins. */
export function strayIndent(
  fault: YAMLParseError | YAMLWarning,
  text: string,
  tokens: readonly YamlToken[],
): YamlFinding | undefined {
  const [start] = fault.pos;
  if (fault.message.startsWith("All mapping items must start at the same column"))
    return text[start] === "\t" ? undefined : strayLine(text, lineStartAt(text, start));
  if (fault.code !== "BLOCK_AS_IMPLICIT_KEY") return undefined;
  if (fault.message.startsWith("A block sequence"))
    return strayLine(text, lineStartAt(text, start));
  // A plain text that goes on in a line of its own, where that line was meant as a key.
  const folded = tokens.find(
    ({ type, text: plain, offset }) =>
      type === "plain" &&
      plain.includes("\n") &&
      offset <= start + 1 &&
      offset + plain.length >= start,
  );
  if (folded === undefined) return undefined;
  return strayLine(text, lineStartAt(text, folded.offset + folded.text.length));
}

/** The finding of a line that belongs to no block above it; `lineStart` is the offset of its first character. */
export function strayLine(text: string, lineStart: number): YamlFinding {
  const end = text.indexOf("\n", lineStart);
  const line = text.slice(lineStart, end === -1 ? text.length : end).trimEnd();
  const own = indentOf(line);
  const place = {
    code: "LW-YAML-INDENT",
    start: lineStart + own,
    end: lineStart + Math.max(line.length, own + 1),
  } as const;
  const above = text.slice(0, lineStart).trimEnd().split("\n").slice(-most);
  const sibling = above.findLast((one) => one.trim() !== "" && indentOf(one) <= own);
  const key = /^\s*([A-Za-z][\w.-]*):(?:\s|$)/.exec(line)?.[1];
  const isLevel = sibling !== undefined && indentOf(sibling) === own;
  if (key !== undefined && isLevel && sibling.trimStart().startsWith("- ")) {
    const message = `\`${key}\` stands in the column of a list's dashes and has none`;
    const suggestion = `write \`- ${key}: ...\`, and indent what stands under it by 2 more`;
    return { ...place, message, suggestion };
  }
  const [, item] = /^\s*-([A-Za-z][\w-]*)/.exec(line) ?? [];
  if (item !== undefined) {
    const message = `\`-${item}\` is no list item: a space belongs behind the dash`;
    return {
      ...place,
      message,
      suggestion: `write \`- ${item}\`, in the column of the other items`,
    };
  }
  const message = `this line is indented by ${own}, which fits no block above it`;
  const suggestion = `indent it by ${nearest(above, line)}`;
  return { ...place, message, suggestion };
}

// Whoever indents a line wrongly meant a block that is near.
const most = 200;

/** The indentation in use above that is nearest to a line's own; for a dash, that of another dash. */
function nearest(above: readonly string[], line: string): number {
  const own = indentOf(line);
  const isDash = /^\s*-(?:\s|$)/.test(line);
  const used = above
    .filter((one) => one.trim() !== "" && (!isDash || /^\s*-(?:\s|$)/.test(one)))
    .map(indentOf)
    .filter((indent) => indent !== own);
  return used.reduceRight(
    (best, indent) => (Math.abs(indent - own) < Math.abs(best - own) ? indent : best),
    used.at(-1) ?? 0,
  );
}

/** Where the line of an offset begins; of an empty line, where the next one does that is none. */
function lineStartAt(text: string, offset: number): number {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const blank = /^(?:[ \t]*\r?\n)+/.exec(text.slice(start))?.[0] ?? "";
  return start + blank.length;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
