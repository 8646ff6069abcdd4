/** How much text and work one reading may take. */
export interface ParseLimits {
  /** The longest text that is read at all, in characters. */
  readonly maxChars: number;
  /** The deepest nesting of objects and arrays. */
  readonly maxDepth: number;
  /** How many places of a text are tried as the start of a value. */
  readonly maxCandidates: number;
  /** The work of one reading, in steps of about one character each. */
  readonly maxSteps: number;
  /** The longest text that is read as block text of keys and values, in characters. */
  readonly maxBlockChars: number;
}

/** The limits where nothing else is said. */
export const defaultParseLimits: ParseLimits = {
  maxChars: 4_000_000,
  maxDepth: 256,
  maxCandidates: 64,
  maxSteps: 60_000_000,
  maxBlockChars: 16_384,
};
