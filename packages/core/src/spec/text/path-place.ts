/** A state path that a text reads, and where: offsets from 0, `end` behind its last character. */
export interface PathPlace {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}
