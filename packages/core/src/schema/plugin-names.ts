/** Something that a spec names by an id. */
interface Identified {
  readonly id: string;
}

/** The plugins by every name that a spec may use: the whole id, and the part after its slash where that is unique. */
export function pluginNames<D extends Identified>(
  definitions: readonly D[],
): ReadonlyMap<string, D> {
  const names = new Map(definitions.map((definition) => [definition.id, definition]));
  const short = new Map<string, D[]>();
  for (const definition of definitions) {
    const [, name] = definition.id.split("/");
    if (name !== undefined) short.set(name, [...(short.get(name) ?? []), definition]);
  }
  for (const [name, [first, second]] of short)
    if (first !== undefined && second === undefined && !names.has(name)) names.set(name, first);
  return names;
}
