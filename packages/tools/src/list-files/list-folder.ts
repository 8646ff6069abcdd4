import { lstat, realpath } from "node:fs/promises";
import { ToolError } from "@loopwright/core/plugin";
import { type ConfinedPath, isInside, shownPath } from "../shared/confined-path.ts";
import { compileGlob } from "../shared/glob.ts";
import { type FoundEntry, skippedNote, walkFolder, walkReport } from "../shared/walk-folder.ts";

/** How many names are looked at, most of which a glob may leave out. */
const maxLookedAt = 50_000;

/** Which part of a folder is listed. */
export interface Listing {
  readonly depth: number;
  readonly glob: string | undefined;
  readonly isAllWanted: boolean;
  readonly maxEntries: number;
  readonly signal: AbortSignal;
}

/** Lists a folder, one line a name, and says what was left out. */
export async function listFolder(place: ConfinedPath, listing: Listing): Promise<string> {
  const facts = await lstat(place.target);
  if (!facts.isDirectory())
    throw new ToolError(
      "tool-failed",
      `"${place.wanted}" is not a folder; read the file, or list the folder that holds it.`,
    );
  const fits = listing.glob === undefined ? undefined : compileGlob(listing.glob);
  const walk = {
    maxDepth: listing.depth,
    maxEntries: maxLookedAt,
    isAllWanted: listing.isAllWanted,
    signal: listing.signal,
  };
  const report = walkReport();
  const lines: string[] = [];
  let isFull = false;
  for await (const entry of walkFolder(place.target, walk, report)) {
    if (fits !== undefined && (entry.kind === "folder" || !fits(entry.shown))) continue;
    isFull = lines.length >= listing.maxEntries;
    if (isFull) break;
    lines.push(await lineOf(place.root, entry));
  }
  const full = isFull
    ? `[only the first ${listing.maxEntries} names; narrow it with path, glob or depth]`
    : "";
  const none = fits === undefined ? "[the folder is empty]" : "[no file fits the glob]";
  const notes = [lines.length === 0 ? none : "", full, skippedNote(report)];
  return [...lines, ...notes.filter((note) => note !== "")].join("\n");
}

async function lineOf(root: string, { path, kind }: FoundEntry): Promise<string> {
  const shown = shownPath(root, path);
  if (kind === "folder") return `${shown}/`;
  if (kind === "link") return `${shown} (${await leadOf(root, path)})`;
  if (kind === "other") return `${shown} (no regular file)`;
  const size = await lstat(path).then(
    (facts) => `${facts.size} bytes`,
    () => "gone",
  );
  return `${shown} (${size})`;
}

/** Where a link leads in the end; what lies outside is no model's business. */
async function leadOf(root: string, path: string): Promise<string> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined) return "link to nowhere";
  return isInside(root, target) ? `link to ${shownPath(root, target)}` : "link that leads out";
}
