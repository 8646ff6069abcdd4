import type { Observation } from "@loopwright/core/plugin";

/** How much of a result a model is shown. */
export type ObservationSize = "full" | "short" | "brief";

/** The characters of each size. */
export const observationChars: Readonly<Record<ObservationSize, number>> = {
  full: 6000,
  short: 500,
  brief: 300,
};

/** An observation whose content fits a size, to be shown by `observationText`: its fence and its notes stay whole. */
export function sized(observation: Observation, size: ObservationSize): Observation {
  const content = shorten(observation.content, observationChars[size]);
  return content === observation.content ? observation : { ...observation, content };
}

const NOTHING = "no result";
/** What the last line of a shortened text may take, and the marks of its gaps. */
const maxMarkChars = 60;
const GAP = "…";

/**
 * A text cut to a size by whole sentences and lines, conclusions first; what is kept stays in its order, `…` stands where
 * something is left out, and the last line says how much is shown. An empty text is "no result".
 */
export function shorten(text: string, maxChars: number): string {
  if (text.trim() === "") return NOTHING;
  if (text.length <= maxChars) return text;
  const cutBefore = CUT_MARK.exec(text);
  const whole = cutBefore === null ? text : text.slice(0, cutBefore.index);
  const room = Math.max(0, maxChars - maxMarkChars);
  const pieces = piecesOf(whole);
  const kept = choose(pieces, room);
  const [body, shown] = kept.size === 0 ? firstPart(whole, room) : joined(pieces, kept);
  return `${body}\n[cut: ${shown} of ${cutBefore?.[1] ?? text.length} characters shown]`;
}

/** The last line of a text that was cut before; it tells how long the text was. */
const CUT_MARK = /\n\[cut: \d+ of (\d+) characters shown\]$/u;

/** A sentence or a line, and whether a line ends behind it. */
interface Piece {
  readonly text: string;
  readonly endsLine: boolean;
}

function piecesOf(text: string): readonly Piece[] {
  return text.split(/\r?\n/u).flatMap((line) => {
    const sentences = line.match(SENTENCE)?.filter((part) => part.trim() !== "") ?? [];
    return sentences.map((part, index) => ({
      text: part.trim(),
      endsLine: index === sentences.length - 1,
    }));
  });
}

// A full stop ends a sentence only before a space: 4.5 and example.com are one word each.
const SENTENCE =
  /(?:[^.!?。！？]|[.!?](?!\s|$))+(?:[.!?]+(?=\s|$)|[。！？]+[”’」』）)]*|$)|[.!?。！？]+/gu;

/** Which pieces are shown: conclusions, then the first and the last, then the rest from the top, while they fit. */
function choose(pieces: readonly Piece[], room: number): ReadonlySet<number> {
  const indexes = pieces.map((_piece, index) => index);
  const conclusions = indexes.filter((index) => CONCLUDES.test(pieces[index]?.text ?? ""));
  // The last of many conclusions sums up the others.
  const order = [...conclusions.toReversed(), 0, pieces.length - 1, ...indexes];
  const kept = new Set<number>();
  let left = room;
  for (const index of order) {
    const cost = (pieces[index]?.text.length ?? 0) + GAP.length + 2;
    if (kept.has(index) || cost > left) continue;
    kept.add(index);
    left -= cost;
  }
  return kept;
}

/** Words with which texts sum up. */
const CONCLUDES =
  /\b(?:totals?|results?|in (?:conclusion|summary|short|total)|conclusions?|summary|therefore|thus|hence|overall|finally|altogether|we (?:find|found|conclude)|it follows|error|failed)\b|总计|合计|总共|共计|总额|结论|结果|因此|所以|综上|总之|总的来说|综合来看|最终|由此可见|可见|错误|失败/iu;

function joined(
  pieces: readonly Piece[],
  kept: ReadonlySet<number>,
): readonly [body: string, shown: number] {
  let body = "";
  let shown = 0;
  let before = -1;
  for (const [index, { text }] of pieces.entries()) {
    if (!kept.has(index)) continue;
    const gap = index === before + 1 ? "" : GAP;
    body += `${separator(pieces[before], gap, body === "")}${text}`;
    shown += text.length;
    before = index;
  }
  return [before === pieces.length - 1 ? body : `${body} ${GAP}`, shown];
}

function separator(last: Piece | undefined, gap: string, isFirst: boolean): string {
  if (isFirst) return gap === "" ? "" : `${gap} `;
  const between = last?.endsLine === false && gap === "" ? " " : "\n";
  return gap === "" ? between : ` ${gap}${between}`;
}

/** The beginning of a text without any border that fits: never half of a pair of surrogates. */
function firstPart(text: string, room: number): readonly [body: string, shown: number] {
  const body = text.slice(0, room).replace(/[\uD800-\uDBFF]$/u, "");
  return [body, body.length];
}
