/** Splits a path of a spec at its dots and brackets: `strategy[1].verify`, `tools["a.b"].timeout`. */
export function splitPath(path: string): readonly string[] {
  const parts: string[] = [];
  const piece = /\[("(?:[^"\\]|\\.)*"|[^\]]*)\]|[^.[\]]+/g;
  for (const [whole, bracketed] of path.matchAll(piece)) {
    if (bracketed === undefined) parts.push(whole);
    else parts.push(bracketed.startsWith('"') ? unquoted(bracketed) : bracketed);
  }
  return parts;
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
