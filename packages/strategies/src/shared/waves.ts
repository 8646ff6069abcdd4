import type { Json } from "@loopwright/core/plugin";

/** An item of a list with the places of the items that it waits for. */
export interface Waiting {
  /** The item's own `id`, where it has one that no other has; else its place, from 1. */
  readonly key: string;
  readonly item: Json;
  readonly dependsOn: readonly number[];
}

/** Items in the order of their waves: each wave needs only those before it. */
export interface Waves {
  readonly items: readonly Waiting[];
  /** Places in `items`, from 0. */
  readonly waves: readonly (readonly number[])[];
  /** Dependencies that could not be honoured: unknown ids, and those that go in a circle. */
  readonly ignored: readonly string[];
}

/** Sorts items into waves by their `id` and `dependsOn`; items without them are free. */
export function wavesOf(list: readonly Json[]): Waves {
  const places = placesById(list);
  const ignored: string[] = [];
  const wanted = list.map((item, index) => {
    const ids = textsOf(fieldOf(item, "dependsOn"));
    return ids.flatMap((id) => {
      const place = places.get(id);
      if (place !== undefined && place !== index) return [place];
      ignored.push(`${keyOf(item, index, places)} depends on ${id}`);
      return [];
    });
  });
  const done = new Set<number>();
  const waves: number[][] = [];
  const dependsOn: number[][] = wanted.map((ids) => [...new Set(ids)]);
  while (done.size < list.length) {
    const open = list.map((_, index) => index).filter((index) => !done.has(index));
    let wave = open.filter((index) => dependsOn[index]?.every((id) => done.has(id)));
    if (wave.length === 0) {
      // A circle: its first item goes without what it still waits for.
      const [first = 0] = open;
      for (const id of (dependsOn[first] ?? []).filter((other) => !done.has(other)))
        ignored.push(
          `${keyOf(list[first] ?? null, first, places)} depends on ${keyOf(list[id] ?? null, id, places)}, in a circle`,
        );
      dependsOn[first] = (dependsOn[first] ?? []).filter((id) => done.has(id));
      wave = [first];
    }
    for (const index of wave) done.add(index);
    waves.push(wave);
  }
  const items = list.map((item, index) => ({
    key: keyOf(item, index, places),
    item,
    dependsOn: dependsOn[index] ?? [],
  }));
  return { items, waves, ignored };
}

function keyOf(item: Json, index: number, places: ReadonlyMap<string, number>): string {
  const id = fieldOf(item, "id");
  return typeof id === "string" && places.get(id) === index ? id : String(index + 1);
}

/** Where each id stands; one that stands for two items is the first's. */
function placesById(list: readonly Json[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const id = fieldOf(item, "id");
    if (typeof id === "string" && !places.has(id)) places.set(id, index);
  }
  return places;
}

function fieldOf(item: Json, name: string): Json {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return null;
  return (item as { readonly [key: string]: Json })[name] ?? null;
}

function textsOf(value: Json): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).filter((one): one is string => typeof one === "string");
}
