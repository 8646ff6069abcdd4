import { isScalar, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import type { YamlFinding } from "./yaml-finding.ts";
import { quoteYaml } from "./yaml-tokens.ts";

/** What a comma cut in two: the pairs of a `{ }` that are only a rest, and the texts of which a part is gone. */
export interface CutTexts {
  readonly rests: ReadonlySet<Pair>;
  readonly texts: ReadonlySet<unknown>;
}

/** What a map or list holds that no comma cut. */
export const nothingCut: CutTexts = { rests: new Set(), texts: new Set() };

interface CommaOptions {
  readonly text: string;
  report(finding: YamlFinding): void;
}

/** Reports texts in a `{ }` that a comma cut in two, like `{ when: f(a, b) }`. */
export function commaTrapInMap(node: YAMLMap, options: CommaOptions): CutTexts {
  const rests = new Set<Pair>();
  const texts = new Set<unknown>();
  let cut: { value: Scalar; end: number } | undefined;
  let words: Pair[] = [];
  const flush = (): void => {
    const [word, ...others] = words;
    // One word behind a value is rather a key that waits for its own; behind several words it goes on with them.
    const isKey =
      cut !== undefined &&
      word !== undefined &&
      others.length === 0 &&
      isWord(word.key) &&
      openParentheses(cut.value) === 0 &&
      !isProse(cut.value);
    if (isKey) rests.delete(word);
    else if (cut !== undefined && cut.end > rangeEnd(cut.value)) {
      reportCut(cut.value, cut.end, options);
      texts.add(cut.value);
    }
    words = [];
    cut = undefined;
  };
  for (const pair of node.items) {
    const isBare = isPlain(pair.key) && (pair.value === null || pair.value === undefined);
    if (cut !== undefined && isBare) {
      cut.end = rangeEnd(pair.key);
      rests.add(pair);
      words.push(pair);
      continue;
    }
    const isRest =
      cut !== undefined &&
      isPlain(pair.value) &&
      openParentheses(cut.value) > 0 &&
      openParentheses(pair.value) < 0;
    if (cut !== undefined && isRest) {
      cut.end = rangeEnd(pair.value);
      rests.add(pair);
      words.push(pair, pair);
      continue;
    }
    flush();
    if (isPlain(pair.value)) cut = { value: pair.value, end: rangeEnd(pair.value) };
  }
  flush();
  return { rests, texts };
}

/** Reports a text in a `[ ]` that a comma cut in two, seen from a parenthesis that closes in a later item. */
export function commaTrapInList(node: YAMLSeq, options: CommaOptions): CutTexts {
  const texts = new Set<unknown>();
  const parts: Scalar[] = [];
  let open = 0;
  for (const item of node.items) {
    if (!isPlain(item)) {
      parts.length = 0;
      open = 0;
      continue;
    }
    open += openParentheses(item);
    parts.push(item);
    if (open > 0) continue;
    const [first, ...others] = parts;
    if (first !== undefined && others.length > 0) {
      reportCut(first, rangeEnd(item), options);
      for (const part of parts) texts.add(part);
    }
    parts.length = 0;
    open = 0;
  }
  return { rests: nothingCut.rests, texts };
}

function reportCut(value: Scalar, end: number, options: CommaOptions): void {
  const start = value.range?.[0] ?? 0;
  options.report({
    code: "LW-YAML-COMMA",
    start,
    end,
    message: `the comma ended the text \`${value.source ?? ""}\``,
    suggestion: `quote it: ${quoteYaml(options.text.slice(start, end))}`,
  });
}

function isPlain(node: unknown): node is Scalar {
  return isScalar(node) && node.type === "PLAIN" && node.source !== "";
}

function isProse({ source = "" }: Scalar): boolean {
  return /^[\p{L}']+(?: [\p{L}']+)+$/u.test(source);
}

function isWord(node: unknown): boolean {
  return isPlain(node) && /^[A-Za-z][\w-]*$/.test(node.source ?? "");
}

function openParentheses(node: Scalar): number {
  const source = node.source ?? "";
  return source.split("(").length - source.split(")").length;
}

function rangeEnd(node: unknown): number {
  return isScalar(node) ? (node.range?.[1] ?? 0) : 0;
}
