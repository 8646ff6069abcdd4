/** A place in a file; lines and columns count from 1, `endColumn` is exclusive and on the same line. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endColumn?: number;
}
