// Controls but tab and newline, characters that reorder or hide the text around them, and halves of pairs.
const UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}\p{Surrogate}]/gu;

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
