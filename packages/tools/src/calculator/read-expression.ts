import { ToolError } from "@loopwright/core/plugin";

const maxLength = 500;
const maxDepth = 30;
const maxDigits = 15;
const number = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,4}(?![\w.]))?/y;
const grouped = /\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?/y;
const word = /[A-Za-z][A-Za-z0-9]*/y;

type TokenKind = "number" | "word" | "open" | "close" | "comma" | "operator" | "percent";

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** Makes an error that tells the model how to write the expression. */
export function expressionError(message: string): ToolError {
  return new ToolError("tool-arguments-invalid", message);
}

/**
 * Rewrites an expression as people and models write it into plain arithmetic: ASCII digits and operators, no
 * thousands separators, percentages as fractions. Throws a ToolError for whatever can be read in two ways.
 */
export function readExpression(text: string, names: ReadonlySet<string>): string {
  if (text.length > maxLength) {
    throw expressionError(
      `The expression has ${text.length} characters; ${maxLength} are allowed. Split it into several calls.`,
    );
  }
  const plain = toAscii(text).replace(/=\s*\??\s*$/, "");
  if (plain.trim() === "")
    throw expressionError("The expression is empty; write one like (3 + 4) * 2.");
  const tokens = tokenize(plain, names);
  refuseGaps(tokens);
  return tokens.map((token, index) => rewrite(tokens, token, index)).join(" ");
}

function toAscii(text: string): string {
  return text
    .replaceAll(/[\uFF01-\uFF5E]/g, (sign) =>
      String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xfee0),
    )
    .replaceAll(/[\u3000\u00A0\u2009\u202F]/g, " ")
    .replaceAll(/[×∗]/g, "*")
    .replaceAll("÷", "/")
    .replaceAll(/[−–]/g, "-")
    .replaceAll("**", "^");
}

function tokenize(text: string, names: ReadonlySet<string>): Token[] {
  const tokens: Token[] = [];
  /** One entry per open parenthesis: whether it holds the arguments of a function. */
  const open: boolean[] = [];
  let index = 0;
  while (index < text.length) {
    const token = tokenAt(text, index, open.includes(true));
    if (token === undefined) {
      index += 1;
      continue;
    }
    if (token.kind === "open") open.push(tokens.at(-1)?.kind === "word");
    if (token.kind === "close") open.pop();
    if (open.length > maxDepth)
      throw expressionError(`The expression nests deeper than ${maxDepth} parentheses. Split it.`);
    if (token.kind === "word") refuseUnknown(token.text, names);
    tokens.push({
      kind: token.kind,
      text: token.kind === "number" ? token.text.replaceAll(",", "") : token.text,
    });
    index += token.text.length;
  }
  return tokens;
}

function tokenAt(text: string, index: number, isArgument: boolean): Token | undefined {
  const sign = text.charAt(index);
  if (/\s/.test(sign)) return undefined;
  if (/[\d.]/.test(sign)) return { kind: "number", text: numberAt(text, index, isArgument) };
  if (/[A-Za-z]/.test(sign)) return { kind: "word", text: matchAt(word, text, index) ?? sign };
  if (sign === "(") return { kind: "open", text: sign };
  if (sign === ")") return { kind: "close", text: sign };
  if (sign === "%") return { kind: "percent", text: sign };
  if ("+-*/^".includes(sign)) return { kind: "operator", text: sign };
  if (sign === "," && isArgument) return { kind: "comma", text: sign };
  if (sign === ",")
    throw expressionError(
      "A comma separates thousands (1,250.5) or the arguments of a function; write decimals with a point.",
    );
  const shown = String.fromCodePoint(text.codePointAt(index) ?? 0);
  throw expressionError(
    `"${shown}" is not allowed; write digits, + - * / % ^ ( ) and function names, without units, currency signs or variables.`,
  );
}

function numberAt(text: string, index: number, isArgument: boolean): string {
  const group = matchAt(grouped, text, index);
  if (group !== undefined && isArgument) {
    const [first = "", ...rest] = group.split(",");
    throw expressionError(
      `"${group}" can be one number or several arguments; write ${group.replaceAll(",", "")} or ${[first, ...rest].join(", ")}.`,
    );
  }
  const found = group ?? matchAt(number, text, index);
  const next = text.charAt(index + (found?.length ?? 0));
  if (found === undefined || /[\w.]/.test(next)) {
    const shown = /^[\w.,]+/.exec(text.slice(index))?.[0] ?? text.charAt(index);
    throw expressionError(
      `"${shown}" is not a number; write plain decimals like 1250.5, without units, and * between factors.`,
    );
  }
  const digits = found
    .replace(/[eE].*$/, "")
    .replaceAll(/[.,]/g, "")
    .replace(/^0+/, "");
  if (digits.length > maxDigits)
    throw expressionError(`"${found}" has more than ${maxDigits} digits; round it first.`);
  return found;
}

function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
}

function refuseUnknown(name: string, names: ReadonlySet<string>): void {
  if (names.has(name)) return;
  throw expressionError(
    `"${name}" is unknown; the names are ${[...names].join(", ")}. Put numbers in place of variables.`,
  );
}

function refuseGaps(tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (before === undefined) continue;
    const endsOperand = ["number", "close"].includes(before.kind) || before.text === "pi";
    if (endsOperand && ["number", "open", "word"].includes(token.kind)) {
      throw expressionError(
        `An operator is missing between "${before.text}" and "${token.text}"; write * for a product, no spaces within a number.`,
      );
    }
  }
}

function rewrite(tokens: readonly Token[], token: Token, index: number): string {
  const after = tokens[index + 1];
  if (token.kind === "percent") return isRemainder(after) ? "%" : "";
  if (token.kind !== "number" || after?.kind !== "percent") {
    if (after?.kind === "percent" && !isRemainder(tokens[index + 2])) {
      throw expressionError("A percent sign is only read after a number; divide by 100 instead.");
    }
    return token.text;
  }
  const next = tokens[index + 2];
  if (isRemainder(next)) return token.text;
  const isAdded =
    ["+", "-"].includes(tokens[index - 1]?.text ?? "") &&
    !["operator", "open", "comma", undefined].includes(tokens[index - 2]?.kind);
  const isLast = next === undefined || next.kind === "close" || next.kind === "comma";
  if ((isAdded && isLast) || ["+", "-"].includes(next?.text ?? "")) {
    throw expressionError(
      `"${token.text}%" can be read in two ways here; write ${token.text}/100 in parentheses, or a product like 100 * 1.2.`,
    );
  }
  return `(${token.text} / 100)`;
}

function isRemainder(after: Token | undefined): boolean {
  return after !== undefined && ["number", "word", "open"].includes(after.kind);
}
