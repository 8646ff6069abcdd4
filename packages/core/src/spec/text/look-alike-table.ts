const cyrillic = "аеорсухіјѕһԁԛԝАВЕЅІЈКМНОРСТУХ";
const asCyrillic = "aeopcyxijshdqwABESIJKMHOPCTYX";
const greek = "ονικρυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ";
const asGreek = "ovikpuxABEZHIKMNOPTYX";
const marks = "–—−‐‑‒―“”„‟‘’‚‛：﹕∶꞉，﹐；、";
const asMarks = "-------\"\"\"\"''''::::,,;,";

const table: ReadonlyMap<string, string> = new Map([
  ...pairsOf(cyrillic, asCyrillic),
  ...pairsOf(greek, asGreek),
  ...pairsOf(marks, asMarks),
]);

const names: ReadonlyMap<string, string> = new Map([
  ["：", "full-width colon"],
  ["，", "full-width comma"],
  ["；", "full-width semicolon"],
  ["、", "ideographic comma"],
  ["“", "curly quote"],
  ["”", "curly quote"],
  ["‘", "curly quote"],
  ["’", "curly quote"],
  ["–", "en dash"],
  ["—", "em dash"],
  ["−", "minus sign"],
  ["‐", "hyphen that is no `-`"],
  ["‑", "no-break hyphen"],
  ["•", "bullet"],
]);

/** The ASCII character that a character looks like; the character itself where there is none. */
export function plainFormOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // The full-width forms repeat ASCII.
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCodePoint(code - 0xfee0);
  return table.get(character) ?? character;
}

/** Names a look-alike for a message, like `：` (U+FF1A, full-width colon). */
export function nameOfLookAlike(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  const name = names.get(character) ?? scriptOf(character);
  return `\`${character}\` (${code}${name === undefined ? "" : `, ${name}`})`;
}

function scriptOf(character: string): string | undefined {
  if (cyrillic.includes(character)) return "a Cyrillic letter";
  if (greek.includes(character)) return "a Greek letter";
  const code = character.codePointAt(0) ?? 0;
  return code >= 0xff01 && code <= 0xff5e ? `full-width ${plainFormOf(character)}` : undefined;
}

function pairsOf(from: string, to: string): readonly (readonly [string, string])[] {
  const plain = Array.from(to);
  return Array.from(from, (character, index) => [character, plain[index] ?? character] as const);
}
