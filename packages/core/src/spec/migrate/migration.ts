import type { Document } from "yaml";

/** One step from an apiVersion to the next. */
export interface Migration {
  readonly from: string;
  readonly to: string;
  /** What changes, in a few words, for whoever migrates. */
  readonly summary: string;
  /**
   * Changes a document in place. Contract: moves and renames nodes rather than making them anew, so that their comments
   * stay; leaves `apiVersion` alone, which is set after it; changes nothing that is not of its version.
   */
  readonly apply: (document: Document) => void;
}

/** Every step there is, in any order. */
export const MIGRATIONS: readonly Migration[] = [];
