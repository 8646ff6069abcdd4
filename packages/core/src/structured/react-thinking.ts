import type { Tally } from "./react-text.ts";
import { isLineEnd, skipBlanks, skipEdges } from "./react-text.ts";

interface Tag {
  readonly start: number;
  readonly end: number;
  readonly isClosing: boolean;
}

/** The thinking blocks of a text: `<think>…</think>` and its like. */
export interface ThinkingTags {
  /** The end of the block that opens at this place: -1 if nothing closes it, nothing if none opens there. */
  closedFrom(at: number): number | undefined;
  /** The first block that opens between the two places. */
  openBetween(start: number, end: number): number | undefined;
}

const tagForm = /<(\/?)(?:think|thinking|reasoning)>/gi;

/** Finds the thinking tags of a text; a tag inside another one's block closes with its own. */
export function findThinking(text: string, tally: Tally): ThinkingTags {
  const tags = tagsOf(text, tally);
  const ends = new Map<number, number>();
  const waiting: Tag[] = [];
  let nextClose = -1;
  for (const tag of tags) {
    if (!tag.isClosing) waiting.push(tag);
    else {
      const open = waiting.pop();
      if (open !== undefined) ends.set(open.start, tag.end);
    }
  }
  for (const tag of tags.toReversed()) {
    if (tag.isClosing) nextClose = tag.end;
    else if (!ends.has(tag.start)) ends.set(tag.start, nextClose);
  }
  const starts = tags.filter(({ isClosing }) => !isClosing).map(({ start }) => start);
  let passed = 0;
  return {
    closedFrom: (at) => ends.get(at),
    openBetween: (start, end) => {
      while (passed < starts.length && (starts[passed] ?? 0) < start) passed += 1;
      const next = starts[passed];
      return next !== undefined && next < end ? next : undefined;
    },
  };
}

/**
 * What follows the thinking blocks at the start of a text, the last of which may lack its opening tag; the text itself if
 * there are none.
 */
export function afterThinking(
  text: string,
  tally: Tally,
  isLabel: (at: number) => boolean,
): string {
  const blocks = findThinking(text, tally);
  let end = 0;
  let at = 0;
  let isQuoted = false;
  for (const tag of tagsOf(text, tally)) {
    if (tag.start < at) continue;
    if (!tag.isClosing) {
      const closed = blocks.closedFrom(tag.start) ?? -1;
      if (skipEdges(text, end, tally) !== tag.start || closed < 0) break;
      end = closed;
      at = closed;
      continue;
    }
    // A tag in a string of JSON closes nothing; a string ends with its line at the latest.
    for (; at < tag.start; at += 1) {
      if (isLineEnd(text[at])) isQuoted = false;
      else if (text[at] === '"' && text[at - 1] !== "\\") isQuoted = !isQuoted;
      tally.steps += 1;
    }
    if (isQuoted) continue;
    const next = skipBlanks(text, tag.end, text.length, tally);
    if (next >= text.length || isLineEnd(text[next]) || isLabel(next)) end = tag.end;
  }
  return text.slice(end);
}

function tagsOf(text: string, tally: Tally): readonly Tag[] {
  tally.steps += text.length;
  return Array.from(text.matchAll(tagForm), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    isClosing: match[1] === "/",
  }));
}
