/** A record without a prototype: a name from a spec or a model meets nothing that it inherits. */
export function bareRecord<T>(
  entries: Iterable<readonly [string, T]> = [],
): Readonly<Record<string, T>> {
  const record = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) record[name] = value;
  return record;
}
