/** What can be told of SQL without running it. */
export interface Statement {
  /** The first four words, in capitals. */
  readonly words: readonly string[];
  /** Whether something follows the first statement. */
  readonly hasMore: boolean;
  /** The schema of what is created, in small letters, where it is named. */
  readonly schema: string | undefined;
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

/** The words before the name of what is created. */
const beforeName: ReadonlySet<string> = new Set(["table", "index", "view", "trigger", "exists"]);

/** Reads the first words of SQL, whether it is one statement, and what parameters it has. */
export function readStatement(sql: string): Statement {
  const words: string[] = [];
  const identifiers = new Set<string>();
  const names = new Set<string>();
  let positions = 0;
  let isOver = false;
  let hasMore = false;
  let schema: string | undefined;
  let [last, beforeLast] = ["", ""];
  for (const { groups = {} } of sql.matchAll(token)) {
    const { gap, quoted, number, name, word, end, other } = groups;
    if (gap !== undefined) continue;
    if (end !== undefined) {
      // The statements of a trigger stand in the one that makes it, up to an END of its own.
      const isInside = words[1] === "TRIGGER" && words[0] === "CREATE";
      isOver ||= isInside ? last === "end" && beforeLast === ";" : words.length > 0;
      [beforeLast, last] = [last, ";"];
      continue;
    }
    hasMore ||= isOver;
    if (name !== undefined) names.add(name);
    if (number !== undefined)
      positions = number === "" ? positions + 1 : Math.max(positions, Number(number));
    const identifier = word ?? (quoted === undefined ? undefined : unquoted(quoted));
    if (identifier !== undefined) identifiers.add(identifier.toLowerCase());
    if (word !== undefined && words.length < 4) words.push(word.toUpperCase());
    if (other === "." && words[0] === "CREATE" && beforeName.has(beforeLast)) schema ??= last;
    [beforeLast, last] = [last, identifier?.toLowerCase() ?? other ?? ""];
  }
  return { words, hasMore, schema, identifiers, names, positions };
}

function unquoted(text: string): string {
  const quote = text.charAt(0);
  const inner = text.slice(1, -1);
  return quote === "[" ? inner : inner.replaceAll(quote + quote, quote);
}
