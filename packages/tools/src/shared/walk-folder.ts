import { type Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";

/** Something below a folder. */
export interface FoundEntry {
  /** Absolute. */
  readonly path: string;
  /** From the folder where the walk began, with / between names. */
  readonly shown: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/** How a folder is walked. */
export interface Walk {
  /** Levels below the folder; 1 is the folder itself. */
  readonly maxDepth: number;
  /** Names looked at, at most. */
  readonly maxEntries: number;
  /** Names that begin with a dot, and `node_modules`, too; `.git` never. */
  readonly isAllWanted: boolean;
  readonly signal: AbortSignal;
}

/** What a walk left out. */
export interface WalkReport {
  /** Hidden and ignored names, in the order met; counted, the first few by path. */
  readonly skipped: string[];
  skippedCount: number;
  /** Folders that can't be read. */
  readonly unreadable: string[];
  isCutShort: boolean;
}

const SKIPPED_SHOWN = 5;

/** Makes an empty report. */
export function walkReport(): WalkReport {
  return { skipped: [], skippedCount: 0, unreadable: [], isCutShort: false };
}

/** Walks a folder in order of names, a folder before what lies in it; links are told and never followed. */
export async function* walkFolder(
  folder: string,
  walk: Walk,
  report: WalkReport,
): AsyncGenerator<FoundEntry, void, void> {
  let seen = 0;
  const list = async function* (
    path: string,
    shown: string,
    depth: number,
  ): AsyncGenerator<FoundEntry, void, void> {
    walk.signal.throwIfAborted();
    for (const entry of await namesIn(path, shown, report)) {
      const name = shown === "" ? entry.name : `${shown}/${entry.name}`;
      if (isSkipped(entry.name, walk.isAllWanted)) {
        report.skippedCount += 1;
        if (report.skipped.length < SKIPPED_SHOWN) report.skipped.push(name);
        continue;
      }
      if (seen >= walk.maxEntries) {
        report.isCutShort = true;
        return;
      }
      seen += 1;
      const found = { path: join(path, entry.name), shown: name, kind: kindOf(entry) };
      yield found;
      if (found.kind === "folder" && depth < walk.maxDepth)
        yield* list(found.path, name, depth + 1);
    }
  };
  yield* list(folder, "", 1);
}

async function namesIn(
  path: string,
  shown: string,
  report: WalkReport,
): Promise<readonly Dirent[]> {
  try {
    const names = await readdir(path, { withFileTypes: true });
    // A link that took the folder's place meanwhile led elsewhere.
    if ((await realpath(path)) !== path) return [];
    return names.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    report.unreadable.push(shown === "" ? "." : shown);
    return [];
  }
}

function isSkipped(name: string, isAllWanted: boolean): boolean {
  if (name === ".git") return true;
  return !isAllWanted && (name.startsWith(".") || name === "node_modules");
}

function kindOf(entry: Dirent): FoundEntry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : "other";
}

/** Says in one bracketed line what a walk left out; empty where that is nothing. */
export function skippedNote({ skipped, skippedCount, unreadable, isCutShort }: WalkReport): string {
  const notes: string[] = [];
  if (skippedCount > 0) {
    const more = skippedCount > skipped.length ? " and more" : "";
    notes.push(`${skippedCount} hidden or ignored skipped: ${skipped.join(", ")}${more}`);
  }
  if (unreadable.length > 0)
    notes.push(
      `${unreadable.length} can't be read: ${unreadable.slice(0, SKIPPED_SHOWN).join(", ")}`,
    );
  if (isCutShort) notes.push("there is more than is looked at; name a smaller folder");
  return notes.length === 0 ? "" : `[${notes.join("; ")}]`;
}
