/** A path as one word of a shell's line: in single quotes where it holds more than plain characters. */
export function shellWord(path: string): string {
  if (/^[\p{L}\p{N}_./\\:@%+=-]+$/u.test(path)) return path;
  return process.platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}
