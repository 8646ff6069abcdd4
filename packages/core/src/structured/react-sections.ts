import type { LabelPlace } from "./react-label-at.ts";
import type { ReactLabel } from "./react-labels.ts";
import type { ReactScan } from "./react-scan.ts";
import { isBlank, trimEdges } from "./react-text.ts";

/** A label with its value. */
export interface ReactSection {
  readonly label: ReactLabel;
  readonly value: string;
  readonly isAtStart: boolean;
}

/** A text cut at its labels. */
export interface ReactSections {
  /** What stands before the first label. */
  readonly preamble: string;
  readonly sections: readonly ReactSection[];
  readonly hasThinking: boolean;
}

/** Cuts the text at its labels; thinking blocks are left out of the values. */
export function sectionsOf(scan: ReactScan): ReactSections {
  const { labels, limit, regions } = scan;
  const thinking = regions.filter(({ kind }) => kind === "thinking");
  let passed = 0;
  const between = (start: number, end: number): string => {
    let kept = "";
    let at = start;
    while (passed < thinking.length) {
      const region = thinking[passed];
      if (region === undefined || region.start >= end) break;
      if (region.start >= at) kept += scan.text.slice(at, region.start);
      at = Math.max(at, region.end);
      passed += 1;
    }
    return kept + scan.text.slice(at, Math.max(at, end));
  };
  const preamble = trimEdges(between(0, labels[0]?.at ?? limit));
  const separators = new Set<string>();
  const sections = labels.map((place, index) => {
    const next = labels[index + 1];
    const text = between(place.valueAt, next?.at ?? limit);
    const value = next === undefined || place.label === "answer" ? text : withoutRule(text);
    const isParted = next?.isAtStart === false;
    return sectionOf(place, isParted ? withoutSeparator(value, separators) : value);
  });
  const first = labels[0];
  return {
    preamble: first?.isAtStart === false ? withoutSeparator(preamble, separators) : preamble,
    sections: withoutLastSeparator(sections, separators),
    hasThinking: thinking.length > 0 || limit < scan.text.length,
  };
}

function sectionOf(place: LabelPlace, raw: string): ReactSection {
  const bare = place.isQuoted ? raw.replaceAll(/^[^\S\n]{0,8}> ?/gm, "") : raw;
  const value = closeMarks(trimEdges(bare), place.openMarks);
  return { label: place.label, value, isAtStart: place.isAtStart };
}

/** Takes off the marks that close bold text which began before the label: at the end, or at the end of the first line. */
function closeMarks(value: string, marks: string): string {
  if (marks === "") return value;
  if (value.endsWith(marks)) return trimEdges(value.slice(0, -marks.length));
  const line = value.indexOf("\n");
  if (line < 0) return value;
  const head = trimEdges(value.slice(0, line));
  return head.endsWith(marks) ? head.slice(0, -marks.length) + value.slice(line) : value;
}

/** Takes off a last line like `---`, which parts one label from the next. */
function withoutRule(value: string): string {
  const text = trimEdges(value);
  const line = text.lastIndexOf("\n") + 1;
  return line > 0 && /^[^\S\n]*(?:-{3,}|\*{3,}|_{3,}|={3,})$/.test(text.slice(line))
    ? trimEdges(text.slice(0, line))
    : text;
}

const separatorMarks = ";|；｜,，→/";

/** Takes off what parts one label from the next in a line, like `;`. */
function withoutSeparator(value: string, seen: Set<string>): string {
  const text = trimEdges(value);
  const last = text.at(-1) ?? "";
  const arrow = [" ->", " =>", " -", " –", " —"].find((mark) => text.endsWith(mark));
  if (arrow !== undefined) return trimEdges(text.slice(0, -arrow.length));
  if (last === "" || !separatorMarks.includes(last)) return text;
  seen.add(last);
  return trimEdges(text.slice(0, -1));
}

/** The last value of a line may end with the mark that parts the others, unless that is a mark of prose. */
function withoutLastSeparator(
  sections: readonly ReactSection[],
  seen: ReadonlySet<string>,
): readonly ReactSection[] {
  const last = sections.at(-1);
  const mark = last?.value.at(-1) ?? "";
  if (last === undefined || !";|；｜".includes(mark) || !seen.has(mark)) return sections;
  return [...sections.slice(0, -1), { ...last, value: trimEdges(last.value.slice(0, -1)) }];
}

/** Takes `**`, quotes or backticks that stand around a whole name off. */
export function withoutMarks(value: string): string {
  let text = trimEdges(value);
  for (let round = 0; round < 3; round += 1) {
    const bare = withoutPair(text);
    if (bare === text) return text;
    text = bare;
  }
  return text;
}

function withoutPair(text: string): string {
  for (const mark of ["***", "**", "__", "*", "`", '"', "'"]) {
    if (text.length > 2 * mark.length && text.startsWith(mark) && text.endsWith(mark)) {
      const inner = text.slice(mark.length, -mark.length);
      return inner.includes(mark) ? text : trimEdges(inner);
    }
  }
  if (text.startsWith("**") && isBlank(text[2])) return trimEdges(text.slice(2));
  return text.length > 2 && text.endsWith("**") && !text.slice(0, -2).includes("**")
    ? trimEdges(text.slice(0, -2))
    : text;
}
