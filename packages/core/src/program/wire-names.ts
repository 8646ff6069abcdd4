const longest = 64;

/**
 * The names of tools on the wire, in the same order: letters, digits, `_` and `-`, at most 64, each once and none of those
 * in `taken`, to which they are added.
 */
export function wireNames(
  names: readonly string[],
  taken: Set<string> = new Set(),
): readonly string[] {
  return names.map((name) => {
    const base = name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, longest);
    let unique = base;
    for (let count = 2; taken.has(unique); count++) {
      const suffix = `_${count}`;
      unique = base.slice(0, longest - suffix.length) + suffix;
    }
    taken.add(unique);
    return unique;
  });
}
