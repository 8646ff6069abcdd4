/** What can be told of SQL without running it. */
export interface Statement {
  /** The first two words, in capitals. */
  readonly words: readonly string[];
  /** Whether something follows the first statement. */
  readonly hasMore: boolean;
  /** Everything that can name a function or a table, in small letters: words, quoted names, texts. */
  readonly identifiers: ReadonlySet<string>;
  /** The names of its parameters, without their sign. */
  readonly names: ReadonlySet<string>;
  /** How many parameters have numbers. */
  readonly positions: number;
}

/** Comments, texts, quoted names, parameters, words, the end of a statement, and any other character. */
const token =
  /(?<gap>\s+|--[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<quoted>'(?:[^']+|'')*(?:'|$)|"(?:[^"]+|"")*(?:"|$)|`(?:[^`]+|``)*(?:`|$)|\[[^\]]*(?:\]|$))|\?(?<number>\d*)|[:@$](?<name>[\p{L}_][\p{L}\d_$]*)|(?<word>[\p{L}_][\p{L}\d_$]*)|(?<end>;)|(?<other>[^])/gu;

/** Reads the first words of SQL, whether it is one statement, and what parameters it has. */
export function readStatement(sql: string): Statement {
  const words: string[] = [];
  const identifiers = new Set<string>();
  const names = new Set<string>();
  let positions = 0;
  let isOver = false;
  let hasMore = false;
  for (const { groups = {} } of sql.matchAll(token)) {
    const { gap, quoted, number, name, word, end } = groups;
    if (gap !== undefined) continue;
    if (end !== undefined) {
      isOver ||= words.length > 0;
      continue;
    }
    hasMore ||= isOver;
    if (name !== undefined) names.add(name);
    if (number !== undefined)
      positions = number === "" ? positions + 1 : Math.max(positions, Number(number));
    const identifier = word ?? (quoted === undefined ? undefined : unquoted(quoted));
    if (identifier !== undefined) identifiers.add(identifier.toLowerCase());
    if (word !== undefined && words.length < 2) words.push(word.toUpperCase());
  }
  return { words, hasMore, identifiers, names, positions };
}

function unquoted(text: string): string {
  const quote = text.charAt(0);
  const inner = text.slice(1, -1);
  return quote === "[" ? inner : inner.replaceAll(quote + quote, quote);
}
