/** A text as one line: nothing in it can begin a heading, an item of a list or a fence of the prompt that shows it. */
export function oneLine(text: string): string {
  if (!BREAK.test(text)) return text;
  const lines = text.split(BREAK).map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}

const BREAK = /[\n\v\f\r\u0085\u2028\u2029]/u;

/** A text as one line of at most so many characters: cut behind a word or a sign where one ends near there, else between two characters. */
export function shortLine(text: string, max: number): string {
  // Nothing far behind the end can be in it.
  const line = oneLine(text.slice(0, max * manyTimes)).trim();
  if (line.length <= max) return line;
  const head = line.slice(0, max - 1);
  const border = head.slice(-nearTheEnd).search(/[\s\p{P}][^\s\p{P}]*$/u);
  const whole = border < 0 ? withoutHalf(head) : head.slice(0, head.length - nearTheEnd + border);
  return `${whole.trimEnd()}…`;
}

/** How much of a text is looked at, since line breaks may stand in for much of it. */
const manyTimes = 10;
/** How far before the end a border may lie. */
const nearTheEnd = 40;

/** A text without the first half of a character whose second half is cut off. */
function withoutHalf(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/u, "");
}
