import { isScalar, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import type { YamlFinding } from "./yaml-finding.ts";
import { quoteYaml } from "./yaml-tokens.ts";

/** The pairs of a `{ }` that are only the rest of a text cut at a comma. */
export type BareKeys = ReadonlySet<Pair>;

interface CommaOptions {
  readonly text: string;
  report(finding: YamlFinding): void;
}

/** Reports texts in a `{ }` that a comma cut in two, like `{ when: f(a, b) }`, and returns the left-over pieces. */
export function commaTrapInMap(node: YAMLMap, options: CommaOptions): BareKeys {
  const pieces = new Set<Pair>();
  let cut: { value: Scalar; end: number } | undefined;
  const flush = (): void => {
    if (cut !== undefined && cut.end > rangeEnd(cut.value)) reportCut(cut.value, cut.end, options);
    cut = undefined;
  };
  for (const pair of node.items) {
    const isBare = isPlain(pair.key) && (pair.value === null || pair.value === undefined);
    if (cut !== undefined && isBare) {
      cut.end = rangeEnd(pair.key);
      pieces.add(pair);
      continue;
    }
    const isRest =
      cut !== undefined &&
      isPlain(pair.value) &&
      openParentheses(cut.value) > 0 &&
      openParentheses(pair.value) < 0;
    if (cut !== undefined && isRest) {
      cut.end = rangeEnd(pair.value);
      pieces.add(pair);
      continue;
    }
    flush();
    if (isPlain(pair.value)) cut = { value: pair.value, end: rangeEnd(pair.value) };
  }
  flush();
  return pieces;
}

/** Reports a text in a `[ ]` that a comma cut in two, seen from a parenthesis that closes in a later item. */
export function commaTrapInList(node: YAMLSeq, options: CommaOptions): void {
  let first: Scalar | undefined;
  let open = 0;
  for (const item of node.items) {
    if (!isPlain(item)) {
      first = undefined;
      open = 0;
      continue;
    }
    open += openParentheses(item);
    if (first !== undefined && open <= 0) reportCut(first, rangeEnd(item), options);
    if (open <= 0) {
      first = undefined;
      open = 0;
    } else first ??= item;
  }
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

function openParentheses(node: Scalar): number {
  const source = node.source ?? "";
  return source.split("(").length - source.split(")").length;
}

function rangeEnd(node: unknown): number {
  return isScalar(node) ? (node.range?.[1] ?? 0) : 0;
}
