/** Where the lines above an entry begin that belong to it: empty ones, and comments at its own indentation. */
export function leadOf(source: string, start: number, indent: string): number {
  let lead = source.lastIndexOf("\n", start - 1) + 1;
  while (lead > 0) {
    const above = source.lastIndexOf("\n", lead - 2) + 1;
    const line = source.slice(above, lead);
    const isComment = line.startsWith(`${indent}#`);
    if (!isComment && line.trim() !== "") break;
    lead = above;
  }
  return lead;
}

/** Where the line ends that holds the character before an offset, its line break included. */
export function endOfLine(source: string, offset: number): number {
  const end = source.indexOf("\n", Math.max(0, offset - 1));
  return end === -1 ? source.length : end + 1;
}
