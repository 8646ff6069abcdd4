import type { Entries, Step } from "@loopwright/core";
import type { OutlineEntry, OutlineMap, OutlineScalar } from "./outline-node.ts";

/** Where an offset of a text stands in the spec that it writes. */
export interface Cursor {
  /** `key`: in a key, or where one may begin. `either`: a key or a word may stand there. */
  readonly place: "key" | "value" | "either" | "none";
  /** To the map of a key, or to the value. */
  readonly steps: readonly Step[];
  /** What the map holds, the key at the cursor left out. */
  readonly entries: Entries;
  /** What completion replaces, quotes left standing. */
  readonly from: number;
  readonly to: number;
  readonly isFlow: boolean;
  /** The key that the cursor is in. */
  readonly entry?: OutlineEntry;
  /** The value that the cursor is in. */
  readonly scalar?: OutlineScalar;
}

/** The entries of a map, one of them left out where it is being written. */
export function entriesOf(map: OutlineMap, but?: OutlineEntry): Entries {
  return new Map(
    map.entries
      .filter((entry) => entry !== but)
      .map(({ key, value }) => [key, value?.kind === "scalar" ? value.word : undefined]),
  );
}

/** A place where a key may begin. */
export function emptyKey(
  steps: readonly Step[],
  entries: Entries,
  offset: number,
  isFlow: boolean,
): Cursor {
  return { place: "key", steps, entries, from: offset, to: offset, isFlow };
}

/** A place where nothing is known to belong. */
export function nowhere(steps: readonly Step[], offset: number): Cursor {
  return { place: "none", steps, entries: new Map(), from: offset, to: offset, isFlow: false };
}
