/** Runs of English words in texts, so that words which nobody translated are seen; `known` texts are left out. */
export function englishIn(
  texts: readonly string[],
  known: readonly string[] = [],
): readonly string[] {
  const found = texts.flatMap((text) => {
    const bare = known.reduce((left, one) => left.replaceAll(one, ""), withoutData(text));
    return [...bare.matchAll(SENTENCE)].map(([words]) => words.trim());
  });
  return [...new Set(found)];
}

/** Names, ids and codes may be English; four words on end are a sentence. */
const SENTENCE = /[A-Za-z][A-Za-z']*(?:[ ,;:—]+[A-Za-z][A-Za-z']*){3,}/gu;

/** Without marks of fences, quoted code, the JSON of examples, and the descriptions of fields, which are data in one language. */
function withoutData(text: string): string {
  return text
    .replaceAll(/<observation [^>]*>|<\/observation>/gu, "")
    .replaceAll(/`[^`\n]*`/gu, "")
    .replaceAll(/[[{]".*["}\]]/gu, "")
    .replaceAll(/ — .*$/gmu, "");
}
