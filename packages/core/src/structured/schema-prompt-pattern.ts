/** Makes a short text that a simple pattern matches; undefined where the pattern uses more than that. */
export function textOfPattern(pattern: string): string | undefined {
  if (pattern.length > 500) return undefined;
  const reader = { pattern, at: 0, depth: 0 };
  const text = alternatives(reader);
  return text !== undefined && reader.at === pattern.length ? text : undefined;
}

interface Reader {
  readonly pattern: string;
  at: number;
  depth: number;
}

/** The first of the alternatives; the others are read and left. */
function alternatives(reader: Reader): string | undefined {
  if (reader.depth > 20) return undefined;
  reader.depth += 1;
  const first = sequence(reader);
  let isSimple = first !== undefined;
  while (isSimple && reader.pattern[reader.at] === "|") {
    reader.at += 1;
    isSimple = sequence(reader) !== undefined;
  }
  reader.depth -= 1;
  return isSimple ? first : undefined;
}

function sequence(reader: Reader): string | undefined {
  let text = "";
  while (reader.at < reader.pattern.length) {
    const sign = reader.pattern[reader.at] ?? "";
    if (sign === "|" || sign === ")") break;
    const unit = atom(reader);
    const count = unit === undefined ? undefined : repetition(reader);
    if (unit === undefined || count === undefined) return undefined;
    text += unit.repeat(count);
    if (text.length > 500) return undefined;
  }
  return text;
}

function atom(reader: Reader): string | undefined {
  const sign = reader.pattern[reader.at] ?? "";
  reader.at += 1;
  switch (sign) {
    case "^":
    case "$":
      return "";
    case ".":
      return "a";
    case "[":
      return classMember(reader);
    case "(":
      return group(reader);
    case "\\":
      return escaped(reader);
    case "*":
    case "+":
    case "?":
    case "{":
      return undefined;
    default:
      return sign;
  }
}

function group(reader: Reader): string | undefined {
  if (reader.pattern.startsWith("?:", reader.at)) reader.at += 2;
  else if (reader.pattern[reader.at] === "?") return undefined;
  const text = alternatives(reader);
  if (reader.pattern[reader.at] !== ")") return undefined;
  reader.at += 1;
  return text;
}

const members: Readonly<Record<string, string>> = {
  d: "1",
  w: "a",
  s: " ",
  D: "a",
  W: "-",
  S: "a",
};

function escaped(reader: Reader): string | undefined {
  const sign = reader.pattern[reader.at] ?? "";
  reader.at += 1;
  const member = members[sign];
  if (member !== undefined) return member;
  if (sign === "t") return "\t";
  if (sign === "n") return "\n";
  return /[A-Za-z0-9]/u.test(sign) || sign === "" ? undefined : sign;
}

/** The first member of a class, a letter or digit where one of the common ones is in it. */
function classMember(reader: Reader): string | undefined {
  const end = classEnd(reader);
  if (end === undefined) return undefined;
  const source = reader.pattern.slice(reader.at - 1, end + 1);
  reader.at = end + 1;
  try {
    const test = new RegExp(`^${source}$`, "u");
    return ["a", "A", "1", "0", "x", "-", "_", " ", ...Array.from(source).slice(1, -1)].find(
      (sign) => test.test(sign),
    );
  } catch {
    return undefined;
  }
}

function classEnd({ pattern, at }: Reader): number | undefined {
  for (let end = at; end < pattern.length; end += 1) {
    if (pattern[end] === "\\") end += 1;
    else if (pattern[end] === "]") return end;
  }
  return undefined;
}

/** How often the unit before stands: as seldom as it may, but once where that is allowed. */
function repetition(reader: Reader): number | undefined {
  const counts = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/u.exec(reader.pattern.slice(reader.at));
  if (counts === null) return 1;
  reader.at += counts[0].length;
  const least = counts[1];
  if (least === undefined) return 1;
  const most = counts[2] === undefined ? least : counts[2];
  const count = Number(least) === 0 && most !== "0" ? 1 : Number(least);
  return count > 200 ? undefined : count;
}
