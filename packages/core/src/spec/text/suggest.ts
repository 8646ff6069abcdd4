import { plainFormOf } from "./look-alike-table.ts";

const longestNameCompared = 64;
/** Characters from which on a part of a name stands for it. */
const leastPart = 4;

/** Lists the candidates nearest to a misspelt name, best first; case and kebab, camel or snake style do not count. */
export function nearestNames(
  name: string,
  candidates: Iterable<string>,
  max: number = 3,
): readonly string[] {
  return scoreNames(name, candidates, max).map(({ candidate }) => candidate);
}

/** Asks whether the nearest candidate was meant (or the two that are equally near); undefined when none is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const others = [...candidates].filter((candidate) => candidate !== name);
  const [best, second] = scoreNames(name, others, 2);
  if (best === undefined) return undefined;
  const isTie = second !== undefined && second.distance === best.distance;
  return `did you mean \`${best.candidate}\`${isTie ? ` or \`${second.candidate}\`` : ""}?`;
}

interface ScoredName {
  readonly candidate: string;
  readonly distance: number;
  /** How far it is as it is written: it decides between names that are equally near. */
  readonly written: number;
}

/** The nearest candidates, so many at most; one that can't be among them is not looked at to its end. */
function scoreNames(
  name: string,
  candidates: Iterable<string>,
  max: number,
): readonly ScoredName[] {
  const wanted = fold(name);
  if (wanted === "" || wanted.length > longestNameCompared) return [];
  const asWritten = name.slice(0, longestNameCompared);
  let best: readonly ScoredName[] = [];
  for (const candidate of new Set(candidates)) {
    const farthest = best.length < max ? Number.POSITIVE_INFINITY : (best.at(-1)?.distance ?? 0);
    const distance = distanceTo(wanted, fold(candidate), farthest);
    if (distance === undefined || distance > farthest) continue;
    const written = boundedDistance(asWritten, candidate, longestNameCompared);
    best = [...best, { candidate, distance, written }].toSorted(byNearness).slice(0, max);
  }
  return best;
}

function byNearness(a: ScoredName, b: ScoredName): number {
  return a.distance - b.distance || a.written - b.written || (a.candidate < b.candidate ? -1 : 1);
}

/** How far a name is from the wanted one, both folded; undefined where it is not near, or farther than the farthest that counts. */
function distanceTo(wanted: string, folded: string, farthest: number): number | undefined {
  if (folded.length > longestNameCompared) return undefined;
  const longer = Math.max(wanted.length, folded.length);
  const cutOff = Math.max(1, Math.floor(longer / 3));
  const missing = folded.length - wanted.length;
  const isCutShort = missing > 0 && wanted.length >= leastPart && folded.startsWith(wanted);
  // A name that was cut short is nearer than any that differs in two places; of several the one that lacks least.
  const cutShort = isCutShort ? 1 + missing / longestNameCompared : Number.POSITIVE_INFINITY;
  const most = Math.min(cutOff, farthest);
  const isNear = Math.abs(missing) <= most && leastEdits(wanted, folded) <= most;
  const edits = isNear ? boundedDistance(wanted, folded, most) : cutOff + 1;
  const distance = Math.min(edits, cutShort);
  if (distance <= cutOff && distance < longer) return distance;
  return isPartOf(wanted, folded) ? cutOff + 1 : undefined;
}

const isPlain = /^[\x20-\x7e]*$/;

function fold(name: string): string {
  const plain = isPlain.test(name) ? name : Array.from(name, plainFormOf).join("");
  return plain.toLowerCase().replaceAll(/[-_./\s]/g, "");
}

function isPartOf(wanted: string, folded: string): boolean {
  const [short, long] = wanted.length < folded.length ? [wanted, folded] : [folded, wanted];
  return short.length >= leastPart && (long.startsWith(short) || long.endsWith(short));
}

/** At least so many edits lie between two names: the letters that one has and the other lacks. It is cheap. */
function leastEdits(a: string, b: string): number {
  letterCounts.fill(0);
  countLetters(a, 1);
  countLetters(b, -1);
  let more = 0;
  let less = 0;
  for (const count of letterCounts) {
    if (count > 0) more += count;
    else less -= count;
  }
  return Math.max(more, less);
}

function countLetters(name: string, by: number): void {
  for (let index = 0; index < name.length; index++) {
    const place = name.charCodeAt(index) & letterMask;
    letterCounts[place] = (letterCounts[place] ?? 0) + by;
  }
}

const letterMask = 63;
const letterCounts = new Int8Array(letterMask + 1);

/** Damerau-Levenshtein in its optimal string alignment form, with three rows; above `max` some number that is. */
function boundedDistance(a: string, b: string, max: number): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + cost,
      );
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1);
      current.push(best);
      least = Math.min(least, best);
    }
    // A swap reaches back over one row, and costs one.
    if (least > max + 1) return least;
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
