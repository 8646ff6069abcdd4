/** A point of a skeleton. */
export interface Point {
  readonly number: number;
  readonly point: string;
}

/** A point written out; the text is empty where that failed. */
interface WrittenPoint extends Point {
  readonly text: string;
}

/** The numbered points of a skeleton, the first of each number, in their order and up to a maximum. */
export function pointsOf(
  text: string,
  max: number,
): { readonly points: readonly Point[]; readonly cut: number } {
  const found = new Map<number, string>();
  for (const [, digits = "", said = ""] of text.matchAll(POINT)) {
    const point = said.replaceAll("*", "").trim();
    if (point !== "" && !found.has(Number(digits))) found.set(Number(digits), point);
  }
  const points = [...found].map(([number, point]) => ({ number, point }));
  return { points: points.slice(0, max), cut: Math.max(0, points.length - max) };
}

const POINT = /^[ \t>*#-]*(\d{1,3})[ \t]*[.)、．）](?!\d)[ \t]*(\S[^\n]*)/gmu;

/** The points one below the other, each with what was written of it. */
export function joinPoints(points: readonly WrittenPoint[]): string {
  return points
    .map(({ number, point, text }) => {
      const own = withoutEcho(text.trim(), number, point);
      const head = point.replace(/[.:;,。：；，]+$/u, "");
      return own === "" ? `${number}. ${head}` : `${number}. ${head}: ${own}`;
    })
    .join("\n");
}

/** A text without the number and the words of its own point, which models like to say again. */
function withoutEcho(text: string, number: number, point: string): string {
  let rest = text;
  for (const echo of [`${number}.`, `**${point}**`, point])
    if (rest.toLowerCase().startsWith(echo.toLowerCase()))
      rest = rest.slice(echo.length).replace(/^[\s:.*–—-]+/u, "");
  return rest;
}
