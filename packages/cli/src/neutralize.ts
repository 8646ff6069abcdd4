// Controls but tab and newline, halves of pairs, and characters that reorder or hide the text around them, or that are not
// seen themselves. Joiners stay, and the marks behind an emoji that choose its picture: scripts and emoji need them.
const UNSAFE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0D\uFEFF\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}\p{Surrogate}]|(?<!\p{Emoji})[\uFE0E\uFE0F]/gu;

/** Text from outside, made safe for a terminal: what could move the cursor or deceive the eye is spelled out. */
export function neutralize(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, spelled);
}

/** A name from outside as a part of one line: a line break is spelled out too. */
export function neutralizeName(name: string): string {
  return neutralize(name).replaceAll("\n", "\\n");
}

/** JSON on one line, safe for a terminal and still the same JSON: what could deceive stands as an escape. */
export function neutralizeJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const code = character.charCodeAt(index).toString(16);
      return `\\u${code.padStart(4, "0")}`;
    }).join(""),
  );
}

function spelled(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
