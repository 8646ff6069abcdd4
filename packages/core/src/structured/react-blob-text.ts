import { readBlob } from "./react-blob.ts";
import { looksLikeJson, readJson } from "./react-input.ts";
import type { ReactSections } from "./react-sections.ts";
import { deedOfBlob, type DeedSettings, noStep, type ReactDeed } from "./react-deed.ts";
import {
  isLineEnd,
  lineEndFrom,
  nextLine,
  skipBlanks,
  type Tally,
  trimEdges,
} from "./react-text.ts";
import type { StructuredFailure } from "./structured-result.ts";

/** A step that is one JSON object in a text, with the text before it. */
export type BlobInText = ReactDeed & { readonly before: string };

/** Reads the step of a text without Action and Final Answer from the JSON object that begins a line of it. */
export function blobIn(
  { preamble, sections }: ReactSections,
  settings: DeedSettings,
): BlobInText | StructuredFailure | undefined {
  const end = sections.findIndex(({ label }) => label === "observation");
  const kept = end < 0 ? sections : sections.slice(0, end);
  if (kept.some(({ label }) => label === "input")) {
    return noStep("the reply has an Action Input, but no Action");
  }
  const thoughts = kept.filter(({ label }) => label === "thought").map(({ value }) => value);
  const questions = kept.filter(({ label }) => label === "question").map(({ value }) => value);
  for (const [index, source] of [preamble, ...thoughts, ...questions].entries()) {
    const at = blobStart(source, settings.tally);
    if (at < 0) continue;
    const head = preambleText(source.slice(0, at));
    const before =
      index > thoughts.length ? thoughts : [...thoughts.slice(0, Math.max(0, index - 1)), head];
    const read = readJson(withoutFenceLines(source.slice(at)));
    if (!read.ok) return read;
    const blob = readBlob(read.input);
    if (blob === undefined) return undefined;
    const deed = deedOfBlob(blob, settings);
    return deed.ok ? { ...deed, before: before.filter((part) => part !== "").join("\n") } : deed;
  }
  return undefined;
}

/** Where the first line that begins with JSON does so; -1 if none does. */
function blobStart(text: string, tally: Tally): number {
  let at = 0;
  while (at < text.length) {
    const end = lineEndFrom(text, at, tally);
    let start = skipBlanks(text, at, end, tally);
    const tag = /^<\|?[\w|]{1,40}>\s?/.exec(text.slice(start, start + 44))?.[0];
    if (tag !== undefined) start += tag.length;
    if (
      (text[start] === "{" || text[start] === "[") &&
      looksLikeJson(text.slice(start, start + 200))
    ) {
      return start;
    }
    at = nextLine(text, end);
  }
  return -1;
}

const fenceLine = /^[^\S\r\n]*(?:`{3,}|~{3,})[\w+#.-]*[^\S\r\n]*$/;

function withoutFenceLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => !fenceLine.test(line))
    .join("\n");
}

/** The text before the JSON without the line that opens its fence or its tag. */
function headOf(text: string): string {
  let head = trimEdges(text);
  for (let round = 0; round < 2; round += 1) {
    let start = head.length;
    while (start > 0 && !isLineEnd(head[start - 1])) start -= 1;
    const last = head.slice(start);
    if (!fenceLine.test(last) && !/^<\|?[\w|]{1,40}>$/.test(last)) return head;
    head = trimEdges(head.slice(0, start));
  }
  return head;
}

/** The text before the first label without the marks of a fence around all of it. */
export function preambleText(text: string): string {
  const head = headOf(text);
  const line = /^(?:`{3,}|~{3,})[\w+#.-]*(?:[\n\r]|$)/.exec(head)?.[0];
  return line === undefined ? head : trimEdges(head.slice(line.length));
}
