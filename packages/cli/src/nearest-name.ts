/**
 * The candidate that a misspelt name most likely means; undefined when none is near.
 *
 * Core has a like function for specs; this one is here because what reads the command line must start without core.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(name);
  const scored = [...candidates]
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, fold(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return scored[0]?.candidate;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/gu, "");
}

// Damerau-Levenshtein (optimal string alignment); a beginning of at least three letters counts as near.
function distanceOf(a: string, b: string): number {
  if (a.length >= 3 && b.startsWith(a)) return 1;
  if (Math.abs(a.length - b.length) > 3) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity;
      const changed = (row[j - 1] ?? 0) + cost;
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, changed, swapped));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? Infinity;
}
