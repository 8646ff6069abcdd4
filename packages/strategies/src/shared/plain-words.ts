/** Text as it counts when two sayings are compared: without case, spaces and punctuation. */
export function plainWords(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** True when `text` says all of `words`. */
export function saysAll(text: string, words: string): boolean {
  return plainWords(text).includes(plainWords(words));
}

/** True when `text` says all of `words`, or a good part of them and nothing else. */
export function names(text: string, words: string): boolean {
  const said = plainWords(text);
  if (said === "") return false;
  return saysAll(text, words) || (said.length >= minPart && plainWords(words).includes(said));
}

/** The least part of a saying that names it. */
const minPart = 6;
