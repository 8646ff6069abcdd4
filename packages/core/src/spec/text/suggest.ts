import { plainFormOf } from "./look-alike-table.ts";

const longestNameCompared = 64;

/** Lists the candidates nearest to a misspelt name, best first; case and kebab, camel or snake style do not count. */
export function nearestNames(
  name: string,
  candidates: Iterable<string>,
  max: number = 3,
): readonly string[] {
  return scoreNames(name, candidates)
    .slice(0, max)
    .map((entry) => entry.candidate);
}

/** Asks whether the nearest candidate was meant (or the two that are equally near); undefined when none is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const [best, second] = scoreNames(name, candidates).filter((entry) => entry.candidate !== name);
  if (best === undefined) return undefined;
  const isTie = second !== undefined && second.distance === best.distance;
  return `did you mean \`${best.candidate}\`${isTie ? ` or \`${second.candidate}\`` : ""}?`;
}

interface ScoredName {
  readonly candidate: string;
  readonly distance: number;
}

function scoreNames(name: string, candidates: Iterable<string>): readonly ScoredName[] {
  const wanted = fold(name);
  if (wanted === "" || wanted.length > longestNameCompared) return [];
  const scored: ScoredName[] = [];
  for (const candidate of new Set(candidates)) {
    const folded = fold(candidate);
    const cutOff = Math.max(1, Math.floor(Math.max(wanted.length, folded.length) / 3));
    if (folded.length > longestNameCompared || Math.abs(folded.length - wanted.length) > cutOff) {
      if (isPartOf(wanted, folded)) scored.push({ candidate, distance: cutOff + 1 });
      continue;
    }
    const distance = editDistance(wanted, folded);
    if (distance <= cutOff && distance < Math.max(wanted.length, folded.length))
      scored.push({ candidate, distance });
    else if (isPartOf(wanted, folded)) scored.push({ candidate, distance: cutOff + 1 });
  }
  return scored.toSorted((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
}

function fold(name: string): string {
  return Array.from(name, plainFormOf)
    .join("")
    .toLowerCase()
    .replaceAll(/[-_\s]/g, "");
}

function isPartOf(wanted: string, folded: string): boolean {
  if (folded.length > longestNameCompared) return false;
  const [short, long] = wanted.length < folded.length ? [wanted, folded] : [folded, wanted];
  return short.length >= 4 && (long.startsWith(short) || long.endsWith(short));
}

// Damerau-Levenshtein in its optimal string alignment form, with three rows.
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
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
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
