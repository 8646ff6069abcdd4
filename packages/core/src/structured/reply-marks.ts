const THOUGHTS = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad";
const WRAPPERS =
  "tool_calls?|tool_use|tools?|function_calls?|functioncall|functions?|invoke|minimax:tool_call|parameters?|arguments|action|call|json|output|answer|final_answer|response|result|reply";

/** The tags around thinking. */
const OPEN = `<(?:${THOUGHTS})(?:\\s[^<>]{0,80})?>|<\\|begin_of_thought\\|>|◁think▷`;
const CLOSE = `</(?:${THOUGHTS})\\s*>|<\\|end_of_thought\\|>|◁/think▷`;
const thinkingOpen = new RegExp(OPEN, "iy");
const thinkingClose = new RegExp(CLOSE, "iy");
/** Finds every tag that ends thinking. */
export const anyThinkingClose: RegExp = new RegExp(CLOSE, "gi");

const TOOL_MARKS: readonly RegExp[] = [
  /<\|[^|<>{}\n]{1,60}\|>/y,
  /<｜[^｜<>{}\n]{1,60}｜>/y,
  /<<\/?[a-z_]{1,40}>>/iy,
  /\[\/?(?:TOOL_CALLS?|TOOL_REQUEST|END_TOOL_REQUEST|AVAILABLE_TOOLS|TOOL|FUNCTION_CALL)\]/y,
  /functools(?=\[)/y,
];
const TAG = new RegExp(`</?(?:${WRAPPERS})(?:\\s[^<>]{0,120})?>`, "iy");
const TOOL_TAG = /^<\/?(?:tool|func|invoke|minimax|call|action|<)/i;
const FENCE = /(?:`{3,}|~{3,})[^\n`{[｛［]{0,80}/y;
const COMMENT = /\/\*|<!--/y;

/** A known mark at a place of a text. */
export interface ReplyMark {
  readonly kind: "thinking" | "thinking-end" | "tool" | "tag" | "fence" | "comment";
  readonly end: number;
}

/**
 * The known mark that begins at a place, or nothing. `unclosed` remembers ends of comments that the rest of the text lacks:
 * places are asked in their order.
 */
export function markAt(text: string, at: number, unclosed: Set<string>): ReplyMark | undefined {
  const character = text[at];
  if (character === undefined || !"<◁[`~/f".includes(character)) return undefined;
  const thinking = endOf(thinkingOpen, text, at);
  if (thinking !== undefined) return { kind: "thinking", end: thinking };
  const close = endOf(thinkingClose, text, at);
  if (close !== undefined) return { kind: "thinking-end", end: close };
  for (const pattern of TOOL_MARKS) {
    const end = endOf(pattern, text, at);
    if (end !== undefined) return { kind: "tool", end };
  }
  const tag = endOf(TAG, text, at);
  if (tag !== undefined)
    return { kind: TOOL_TAG.test(text.slice(at, at + 12)) ? "tool" : "tag", end: tag };
  const fence = endOf(FENCE, text, at);
  if (fence !== undefined) return { kind: "fence", end: fence };
  return commentAt(text, at, unclosed);
}

function commentAt(text: string, at: number, unclosed: Set<string>): ReplyMark | undefined {
  if (endOf(COMMENT, text, at) === undefined) return undefined;
  const mark = text[at] === "/" ? "*/" : "-->";
  if (unclosed.has(mark)) return undefined;
  const end = text.indexOf(mark, at + 2);
  if (end >= 0) return { kind: "comment", end: end + mark.length };
  unclosed.add(mark);
  return undefined;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
