import type { Item, Level, Note } from "./note.ts";
import type { Paint, Tone } from "./paint.ts";
import { clip, neutralize, widthOf, wrap } from "./text.ts";

/** Text runs no wider than this, however wide the terminal: longer lines are hard to read. */
const MAX_COLUMNS = 110;
/** Below this, labels are not set in a column of their own. */
const NARROW = 60;
const LABEL_COLUMNS = 10;
/** What a line stands for where nothing is wrapped. */
const PIPE_LINE = 110;
const INDENT = 2;
/** The column that names of fields share is no wider than this. */
const MAX_NAME_COLUMNS = 24;

/** Where and how text is set. */
export interface Setting {
  /** Infinity in a pipe. */
  readonly columns: number;
  readonly paint: Paint;
  readonly level: Level;
}

/** The columns that text may take in a terminal, or Infinity where there is none. */
export function columnsFor(terminalColumns: number | undefined): number {
  if (terminalColumns === undefined || !(terminalColumns > 0)) return Infinity;
  return Math.max(12, Math.min(terminalColumns, MAX_COLUMNS));
}

/** A heading at its depth. */
export function setHeading(text: string, depth: number, { columns, paint }: Setting): string {
  const indent = indentOf(depth, columns);
  const [name = "", ...rest] = clip(
    neutralize(text).replaceAll("\n", " "),
    columns - indent.length,
  ).split(" ");
  return indent + paint("heading", name) + paint("quiet", rest.map((word) => ` ${word}`).join(""));
}

/** A note as lines: the label in a column of its own where there is room, the text beside it, its items below. */
export function setNote(note: Note, depth: number, setting: Setting): readonly string[] {
  const { columns, paint, level } = setting;
  const indent = indentOf(depth, columns);
  const isNarrow = columns < NARROW;
  const hanging = indent + " ".repeat(isNarrow ? INDENT : LABEL_COLUMNS);
  const label =
    isNarrow && note.label !== ""
      ? inline(note.label)
      : note.label.padEnd(hanging.length - indent.length);
  const maxLines = level === "verbose" ? Infinity : Math.ceil(note.maxLines * (isNarrow ? 1.5 : 1));
  const [first = "", ...others] = flow(
    note.text,
    columns,
    indent.length + label.length,
    hanging.length,
    maxLines,
  );
  const tone = note.textTone ?? "plain";
  return [
    (indent + paint(note.tone, label) + paint(tone, first)).trimEnd(),
    ...others.map((line) => (hanging + paint(tone, line)).trimEnd()),
    ...(note.items ?? []).flatMap((item) => setItem(item, hanging, maxItemLines(level), setting)),
  ];
}

/** The columns for text that is set line by line, whatever its label. */
export function roomBeside(depth: number, { columns }: Setting): number {
  return columns - indentOf(depth, columns).length - LABEL_COLUMNS;
}

/** The columns that fields with these names share. */
export function columnsOf(names: readonly string[]): number {
  return Math.min(MAX_NAME_COLUMNS, Math.max(...names.map((name) => widthOf(neutralize(name)))));
}

/** Text in full, at its indentation. */
export function setText(
  text: string,
  indent: number,
  tone: Tone,
  setting: Setting,
): readonly string[] {
  const margin = " ".repeat(indent);
  const lines = wrap(neutralize(text).trimEnd(), setting.columns - indent);
  return lines.map((line) => (line === "" ? "" : margin + setting.paint(tone, line)));
}

/** A name and its value in full, the value hanging; names shorter than `nameColumns` leave their values aligned. */
export function setField(
  name: string,
  value: string,
  nameColumns: number,
  setting: Setting,
): readonly string[] {
  const isNarrow = setting.columns < NARROW;
  const short = clip(neutralize(name).replaceAll("\n", " "), isNarrow ? 16 : MAX_NAME_COLUMNS);
  const padding = " ".repeat(Math.max(0, nameColumns - widthOf(short)) + 2);
  const label = isNarrow ? inline(short) : short + padding;
  const margin = INDENT + widthOf(label);
  const hanging = isNarrow ? INDENT + INDENT : margin;
  const [first = "", ...others] = flow(value, setting.columns, margin, hanging, Infinity);
  return [
    `  ${setting.paint("quiet", label)}${first}`.trimEnd(),
    ...others.map((line) => `${" ".repeat(hanging)}${line}`.trimEnd()),
  ];
}

function setItem(
  item: Item,
  margin: string,
  maxLines: number,
  { columns, paint }: Setting,
): readonly string[] {
  const mark = `${item.mark} `;
  const hanging = margin.length + mark.length;
  const tone = item.tone ?? "plain";
  const [first = "", ...others] = flow(item.text, columns, hanging, hanging, maxLines);
  return [
    (margin + paint("quiet", mark) + paint(tone, first)).trimEnd(),
    ...others.map((line) => (" ".repeat(hanging) + paint(tone, line)).trimEnd()),
  ];
}

/** Neutral lines of text, the first one shorter than the others by its own margin; an ellipsis stands for the rest. */
function flow(
  text: string,
  columns: number,
  firstMargin: number,
  margin: number,
  maxLines: number,
): readonly string[] {
  // More is never shown, and huge texts cost time.
  const enough = maxLines === Infinity ? text : text.trimStart().slice(0, maxLines * 4 * PIPE_LINE);
  const neutral = neutralize(enough)
    .trim()
    .replace(/\n(?:[ ]*\n)+/gu, "\n");
  const shown =
    columns === Infinity && maxLines !== Infinity ? clip(neutral, maxLines * PIPE_LINE) : neutral;
  const lines = wrap(shown, columns - margin, Math.max(0, firstMargin - margin));
  if (lines.length <= maxLines) return lines;
  const last = lines[maxLines - 1] ?? "";
  const room = columns - (maxLines === 1 ? firstMargin : margin);
  return [...lines.slice(0, maxLines - 1), clip(`${last} …`, room)];
}

function inline(label: string): string {
  return label.endsWith("?") ? `${label} ` : `${label}: `;
}

function maxItemLines(level: Level): number {
  return level === "verbose" ? Infinity : 4;
}

/** Deep stages keep at least two thirds of the columns for their text. */
function indentOf(depth: number, columns: number): string {
  return " ".repeat(Math.min(depth * INDENT, Math.floor(columns / 3), 40));
}
