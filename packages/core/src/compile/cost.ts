import type { Bounds, Range } from "../contracts/bounds.ts";

/** What a stage or a sequence may cost. */
export interface Cost {
  readonly bounds: Bounds;
  /** Model calls, after repairs and fallbacks. */
  readonly requests: Range;
}
