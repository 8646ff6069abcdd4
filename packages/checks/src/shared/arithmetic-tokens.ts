/** A piece of a text that may hold arithmetic; `start` and `end` are places in the text. */
export interface ArithmeticToken {
  readonly kind: "number" | "operator" | "open" | "close" | "percent" | "equals" | "other";
  /** A number without separators and currency sign, an operator as one of + - * / ^, else the text itself. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const currency = /[$€£¥]\s?(?=[\d.])/y;
const number = /(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,2}(?![\w.]))?|\.\d+/y;
/** Runs of digits that are no number: dates, times, versions, decimals with a comma. */
const notNumber =
  /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?!\d)|\d+(?:[:,.]\d+)*(?::\d|,\d|\.\d+\.\d)[\d:,.]*/y;
const other = /[\p{L}\p{M}_#@&~\\][\p{L}\p{M}\p{N}_#@&~\\]*|[\s\S]/uy;
const operators: Readonly<Record<string, string>> = {
  "+": "+",
  "-": "-",
  "−": "-",
  "–": "-",
  "*": "*",
  "×": "*",
  "∗": "*",
  "/": "/",
  "÷": "/",
  "^": "^",
};
const longestNumber = 40;

type Make = (kind: ArithmeticToken["kind"], end: number, text: string) => ArithmeticToken;

/** Splits a text into numbers, operators, parentheses and the rest; white space only separates. */
export function tokenizeArithmetic(text: string): readonly ArithmeticToken[] {
  const plain = halfWidth(text);
  const tokens: ArithmeticToken[] = [];
  let index = 0;
  while (index < plain.length) {
    if (/\s/.test(plain.charAt(index))) {
      index += 1;
      continue;
    }
    const token = tokenAt(plain, index);
    tokens.push(token);
    index = token.end;
  }
  return tokens;
}

/** Maps full-width signs to ASCII, one for one, but leaves punctuation that separates sentences. */
function halfWidth(text: string): string {
  return text
    .replaceAll(/[\uFF05\uFF08-\uFF0B\uFF0D-\uFF19\uFF1D]/g, (sign) =>
      String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xfee0),
    )
    .replaceAll("￥", "¥")
    .replaceAll("＄", "$");
}

function tokenAt(text: string, index: number): ArithmeticToken {
  const sign = text.charAt(index);
  const make: Make = (kind, end, shown) => ({ kind, text: shown, start: index, end });
  const before = index === 0 ? "" : text.charAt(index - 1);
  const from = index + (matchAt(currency, text, index)?.length ?? 0);
  const strange = matchAt(notNumber, text, from);
  const found =
    /[\w.,:]/.test(before) && !/[eE]/.test(before) ? undefined : matchAt(number, text, from);
  if (
    found !== undefined &&
    found.length <= longestNumber &&
    found.length >= (strange?.length ?? 0)
  ) {
    return make("number", from + found.length, found.replaceAll(",", ""));
  }
  if (strange !== undefined)
    return make("other", from + strange.length, text.slice(index, from + strange.length));
  if (sign === "²" || sign === "³") return make("other", index + 1, sign);
  if (text.startsWith("**", index)) return starsAt(text, index, make);
  const operator = operators[sign];
  if (operator !== undefined) return make("operator", index + 1, operator);
  if (sign === "(") return make("open", index + 1, sign);
  if (sign === ")") return make("close", index + 1, sign);
  if (sign === "%") return make("percent", index + 1, sign);
  if (sign === "=") return equalsAt(text, index, make);
  if (/\d/.test(sign)) {
    const digits = /^\d+/.exec(text.slice(index))?.[0] ?? sign;
    return make("other", index + digits.length, digits);
  }
  const rest = matchAt(other, text, index) ?? sign;
  return make("other", index + rest.length, rest);
}

/** Two stars are a power between numbers, and emphasis elsewhere. */
function starsAt(text: string, index: number, make: Make): ArithmeticToken {
  const isPower =
    /\d ?$/.test(text.slice(Math.max(0, index - 2), index)) &&
    /^ ?\d/.test(text.slice(index + 2, index + 4));
  return make(isPower ? "operator" : "other", index + 2, isPower ? "^" : "**");
}

function equalsAt(text: string, index: number, make: Make): ArithmeticToken {
  const isAlone =
    !/[=<>!:≠≤≥~]/.test(text.charAt(index - 1)) && !/[=<>~]/.test(text.charAt(index + 1));
  return make(isAlone ? "equals" : "other", index + 1, "=");
}

function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
}
