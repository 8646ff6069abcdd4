import { findThinking } from "../structured/react-thinking.ts";
import { skipEdges, trimEdges } from "../structured/react-text.ts";

const opening = /^<(?:think|thinking|reasoning)>/i;
const tags = /<\/?(?:think|thinking|reasoning)>/gi;

/**
 * Takes the thinking at the start of a text and the answer behind it apart; an open tag there is thinking to the end. A tag
 * anywhere else belongs to the answer, which may talk about it.
 */
export function splitThinking(text: string): { readonly thought: string; readonly answer: string } {
  const tally = { steps: 0 };
  let start = skipEdges(text, 0, tally);
  if (!opening.test(text.slice(start, start + 20))) return { thought: "", answer: text };
  const blocks = findThinking(text, tally);
  const thoughts: string[] = [];
  while (opening.test(text.slice(start, start + 20))) {
    const closed = blocks.closedFrom(start) ?? -1;
    const end = closed < 0 ? text.length : closed;
    thoughts.push(trimEdges(text.slice(start, end).replaceAll(tags, "")));
    start = skipEdges(text, end, tally);
  }
  return {
    thought: thoughts.filter((thought) => thought !== "").join("\n\n"),
    answer: text.slice(start),
  };
}
