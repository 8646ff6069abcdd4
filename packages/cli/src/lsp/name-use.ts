import type { NameKind } from "@loopwright/core";

/** What a name of a spec names, as far as editors follow it. */
export type FollowedKind = Exclude<NameKind, "model"> | "overlay" | "input" | "file";

/** One place where a name stands. */
export interface NameUse {
  readonly kind: FollowedKind;
  readonly name: string;
  /** Offsets of the name alone, quotes left out. */
  readonly start: number;
  readonly end: number;
  readonly isDefinition: boolean;
  /** True for a definition whose name is the id of the plugin that it uses. */
  readonly isId?: true;
  /** True in a text that reads `results.NAME`, which may be a stage or a branch. */
  readonly isResult?: true;
  /** What must be replaced where the name can't stand as it is: in an expression, `results.NAME`. */
  readonly reach?: { readonly start: number; readonly end: number };
}
