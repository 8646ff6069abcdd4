import { lstat } from "node:fs/promises";
import { type Clock } from "@loopwright/core/plugin";
import {
  type ConfinedPath,
  isSecretFile,
  refuseClosed,
  shownPath,
} from "../shared/confined-path.ts";
import { compileGlob } from "../shared/glob.ts";
import { skippedNote, walkFolder, walkReport } from "../shared/walk-folder.ts";
import { type LineQuery, openLineFinder } from "./line-finder.ts";
import { Matches } from "./matches.ts";
import { searchFile } from "./search-file.ts";

/** How many names are looked at. */
const maxLookedAt = 50_000;

/** What is searched for, where, and how much of it comes back. */
export interface Search {
  readonly query: LineQuery;
  readonly glob: string | undefined;
  readonly context: number;
  readonly isAllWanted: boolean;
  readonly maxMatches: number;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Searches a folder or one file, and says what was left out. */
export async function searchFolder(place: ConfinedPath, search: Search): Promise<string> {
  const { signal } = search;
  const fits = search.glob === undefined ? () => true : compileGlob(search.glob);
  const matches = new Matches(search);
  const finder = openLineFinder(search.query, search.clock, signal);
  const report = walkReport();
  let skippedFiles = 0;
  try {
    for await (const target of filesOf(place, search, report, fits)) {
      signal.throwIfAborted();
      const shown = shownPath(place.root, target);
      const file = { root: place.root, target, wanted: shown };
      const isNamed = target === place.target;
      const isRead = await searchFile(file, { ...search, finder, matches, isNamed });
      if (!isRead) skippedFiles += 1;
      if (matches.isFull) break;
    }
  } finally {
    await finder.close();
  }
  const unread = skippedFiles === 0 ? "" : `[${skippedFiles} binary or unreadable files skipped]`;
  return [matches.text(), unread, skippedNote(report)].filter((part) => part !== "").join("\n");
}

async function* filesOf(
  place: ConfinedPath,
  { isAllWanted, signal }: Search,
  report: ReturnType<typeof walkReport>,
  fits: (path: string) => boolean,
): AsyncGenerator<string, void, void> {
  refuseClosed(place);
  const facts = await lstat(place.target);
  if (!facts.isDirectory()) {
    yield place.target;
    return;
  }
  const walk = { maxDepth: 50, maxEntries: maxLookedAt, isAllWanted, signal };
  for await (const { path, shown, kind } of walkFolder(place.target, walk, report))
    if (kind === "file" && !isSecretFile(path) && fits(shown)) yield path;
}
