import stringWidth from "string-width";

/** Colours and weights, which tell a person nothing and may go. */
// oxlint-disable-next-line no-control-regex
const STYLING = /\u001B\[[0-9;:]*m/gu;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/gu;
/** Characters that reorder or hide the text around them, or that are not seen; joiners stay, since scripts and emoji need them. */
const DECEIVING =
  /[\u00AD\u061C\u115F\u1160\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}]|\u034F|[\u17B4\u17B5]|[\u180B-\u180F]|[\uFE00-\uFE0D]|[\u{E0000}-\u{E0FFF}]/gu;
// oxlint-disable-next-line no-control-regex
const PRINTABLE_ASCII = /^[\u0020-\u007E]*$/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Text from outside, made safe for a terminal: nothing in it can move the cursor, set a title, or reorder what is
 * read. A control character is shown as its symbol, so that an attempt is seen.
 */
export function neutralize(text: string): string {
  return text
    .replace(STYLING, "")
    .replace(/\r\n?|[\u2028\u2029]/gu, "\n")
    .replaceAll("\t", "  ")
    .replace(CONTROL, symbolOf)
    .replace(DECEIVING, "")
    .replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** The columns that neutral text of one line takes. */
export function widthOf(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : stringWidth(text);
}

/** One line of at most `columns`, with an ellipsis where something is left out. */
export function clip(text: string, columns: number): string {
  if (text.length <= columns && PRINTABLE_ASCII.test(text)) return text;
  if (columns === Infinity || widthOf(text) <= columns) return text;
  let [kept, used] = ["", 0];
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment);
    if (used > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * Neutral text as lines of at most `columns`, the first one shorter by what is `taken` of it: broken at spaces and
 * between wide characters, inside a word only where it must be.
 */
export function wrap(text: string, columns: number, taken: number = 0): readonly string[] {
  const room = Math.max(2, columns);
  return text
    .split("\n")
    .flatMap((paragraph, index) =>
      wrapParagraph(paragraph.trimEnd(), room, index === 0 ? taken : 0),
    );
}

function wrapParagraph(paragraph: string, columns: number, taken: number): readonly string[] {
  const isShort = paragraph.length + taken <= columns && PRINTABLE_ASCII.test(paragraph);
  if (columns === Infinity || isShort) return [paragraph];
  const lines: string[] = [];
  let line = "";
  let used = taken;
  for (const word of wordsOf(paragraph)) {
    const visible = word.trimEnd();
    if (used > 0 && used + widthOf(visible) > columns) {
      const isGivenUp = lines.length === 0 && taken > 0;
      if (line.trim() !== "" || isGivenUp) lines.push(line.trimEnd());
      [line, used] = ["", 0];
      if (visible === "") continue;
    }
    if (widthOf(visible) > columns) {
      const pieces = piecesOf(visible, columns);
      lines.push(...pieces.slice(0, -1));
      line = (pieces.at(-1) ?? "") + word.slice(visible.length);
    } else line += word;
    used = (lines.length === 0 ? taken : 0) + widthOf(line);
  }
  return [...lines, line.trimEnd()];
}

/** The parts that a line may break between, each with the space behind it; closing punctuation stays with its word. */
function wordsOf(paragraph: string): readonly string[] {
  return (
    paragraph.match(
      /\s+|[^\s]*?(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana})\p{Pe}*\p{Po}*\s*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*/gu,
    ) ?? []
  );
}

function piecesOf(word: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let [piece, used] = ["", 0];
  for (const { segment } of graphemes.segment(word)) {
    const width = widthOf(segment);
    if (used + width > columns && piece !== "") {
      pieces.push(piece);
      [piece, used] = ["", 0];
    }
    piece += segment;
    used += width;
  }
  return [...pieces, piece];
}

function symbolOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\uFFFD";
}
