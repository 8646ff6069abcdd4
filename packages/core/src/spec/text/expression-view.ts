import type { Json } from "../../contracts/json.ts";

/**
 * The same data with every object that has a field called `constructor` as a Map; the value itself where there is none.
 *
 * The expression library tells what kind of thing an object is by its `constructor`, so such a field hides that it is a map.
 */
export function withMaps(value: Json): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => withMaps(item));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  const mapped = entries.map(([key, item]) => [key, withMaps(item)] as const);
  if (Object.hasOwn(value, "constructor")) return new Map(mapped);
  const isSame = mapped.every(([, item], index) => item === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(mapped);
}
