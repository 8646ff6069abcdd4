import type { DiagnosticCode } from "../../src/spec/text/diagnostic-codes.ts";

/** Where a diagnostic is expected: its code, line and column, and the file where it is not the spec itself. */
type ExpectedPlace = readonly [code: DiagnosticCode, line: number, column: number, file?: string];

/** A spec with faults, and what must be said of them. */
export interface BrokenCase {
  readonly name: string;
  /** The lines after `apiVersion`, `name` and `model` (lines 1 to 3), unless the case is `bare` and says them itself. */
  readonly spec: string;
  readonly bare?: true;
  /** Every diagnostic, in order. */
  readonly found: readonly ExpectedPlace[];
  /** The repair of every diagnostic, word for word, in the order of `found`; "" where there is none. */
  readonly fixes: readonly string[];
  /** Words of the first message, its repair or its notes. */
  readonly says?: string;
  /** How the spec is saved, where that is not UTF-8. */
  readonly encoding?: "latin1" | "utf16le";
  /** Further files beside the spec, by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Overlays that are applied. */
  readonly overlays?: readonly string[];
}

/** The lines before a case that is not bare. */
export const head: string = "apiVersion: loopwright/v1\nname: broken\nmodel: ollama/small\n";
