import type { Tone } from "./paint.ts";

/** How much is told. */
export type Level = "quiet" | "normal" | "verbose";

/** One thing that happened, as a person is told it; all text is still as it came. */
export interface Note {
  readonly label: string;
  /** The tone of the label. */
  readonly tone: Tone;
  readonly text: string;
  readonly textTone?: Tone;
  /** The most lines of text shown below `verbose`. */
  readonly maxLines: number;
  readonly items?: readonly Item[];
}

/** A line under a note; `mark` stands before it. */
export interface Item {
  readonly mark: string;
  readonly text: string;
  readonly tone?: Tone;
}

/** A warning on one subject. */
export function warning(label: string, text: string, maxLines: number = 3): Note {
  return { label, tone: "warning", text, maxLines };
}

/** A remark that only a curious reader wants. */
export function aside(label: string, text: string, maxLines: number = 2): Note {
  return { label, tone: "quiet", text, textTone: "quiet", maxLines };
}
