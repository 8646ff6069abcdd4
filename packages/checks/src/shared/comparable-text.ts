/** Brings text into a form in which spelling that carries no meaning is equal: width, case, spaces, quotation marks. */
export function comparable(text: string): string {
  return straight(text).toLowerCase();
}

/** Like `comparable`, with letter case kept. */
export function straight(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[‐‑–—]/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Tells whether a text holds a phrase that is not the inside of a longer word or number. */
export function holdsPhrase(text: string, phrase: string): boolean {
  if (phrase === "") return false;
  for (let index = text.indexOf(phrase); index >= 0; index = text.indexOf(phrase, index + 1)) {
    if (isEdge(text, index) && isEdge(text, index + phrase.length)) return true;
  }
  return false;
}

/** Shortens a text for a message. */
export function excerpt(text: string, max: number = 80): string {
  const signs = Array.from(text.replaceAll(/\s+/g, " ").trim());
  return signs.length <= max ? signs.join("") : `${signs.slice(0, max - 1).join("")}…`;
}

/** Scripts that write words apart; Han and kana do not. */
const lettered = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]/u;

function isEdge(text: string, index: number): boolean {
  return !(lettered.test(text.charAt(index - 1)) && lettered.test(text.charAt(index)));
}
