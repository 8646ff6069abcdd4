/** Limits; a missing one does not bound. Times in milliseconds. */
export interface Limits {
  readonly modelCalls?: number;
  readonly toolCalls?: number;
  readonly tokens?: number;
  readonly usd?: number;
  readonly timeMs?: number;
  /** Time without waiting for people. */
  readonly workTimeMs?: number;
}
