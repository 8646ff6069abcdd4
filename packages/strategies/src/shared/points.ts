import type { Language } from "@loopwright/core/plugin";

/** A point of a skeleton. */
export interface Point {
  readonly number: number;
  readonly point: string;
}

/** A point written out; the text is empty where that failed. */
interface WrittenPoint extends Point {
  readonly text: string;
}

/** Every call gets all points: longer ones are no longer points of a skeleton. */
const longestPoint = 80;

/** The numbered points of a skeleton, the first of each number, in their order and up to a maximum; long ones are cut. */
export function pointsOf(
  text: string,
  max: number,
): { readonly points: readonly Point[]; readonly cut: number } {
  const found = new Map<number, string>();
  for (const [, digits = "", said = ""] of text.matchAll(POINT)) {
    const point = said.replaceAll("*", "").trim();
    if (point !== "" && !found.has(Number(digits))) found.set(Number(digits), shortened(point));
  }
  const points = [...found].map(([number, point]) => ({ number, point }));
  return { points: points.slice(0, max), cut: Math.max(0, points.length - max) };
}

const POINT = /^[ \t>*#-]*(\d{1,3})[ \t]*[.)、．）](?!\d)[ \t]*(\S[^\n]*)/gmu;

function shortened(point: string): string {
  if (point.length <= longestPoint) return point;
  return `${point.slice(0, longestPoint - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** The points one below the other, each with what was written of it. */
export function joinPoints(language: Language, points: readonly WrittenPoint[]): string {
  const colon = language === "zh" ? "：" : ": ";
  return points
    .map(({ number, point, text }) => {
      const own = withoutEcho(text.trim(), number, point);
      const head = withoutMarks(point);
      return own === "" ? `${number}. ${head}` : `${number}. ${head}${colon}${own}`;
    })
    .join("\n");
}

function withoutMarks(point: string): string {
  let end = point.length;
  while (end > 0 && ".:;,。：；，".includes(point.charAt(end - 1))) end -= 1;
  return point.slice(0, end);
}

/** A text without the number and the words of its own point, which models like to say again. */
function withoutEcho(text: string, number: number, point: string): string {
  let rest = text;
  for (const echo of [`${number}.`, `${number}、`, `**${point}**`, point])
    if (rest.toLowerCase().startsWith(echo.toLowerCase()))
      rest = rest.slice(echo.length).replace(/^[\s:：.*–—-]+/u, "");
  return rest;
}
