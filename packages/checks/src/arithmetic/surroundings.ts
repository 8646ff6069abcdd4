import type { ArithmeticToken } from "../shared/arithmetic-tokens.ts";

/** Words of another kind of arithmetic, anywhere in a line. */
const otherArithmetic =
  /\bmod(?:ulo|ulus)?\b|\bremainder\b|\bbinary\b|\bhex|\bbase[ -]\d|o'clock|余数|取模|二进制|十六进制/i;
/** Words that put an equation in doubt or deny it, before it in its clause. */
const supposed =
  /\b(?:not|n't|wrong|incorrect|false|mistake\w*|if|suppose|assum\w+|unless|rather than|instead of|claim\w*|whether|versus|vs)\b|n't\b|不是|不等|错|假设|如果|是否|并非|而非/i;
/** Words that take part in a computation. */
const computing =
  /^(?:plus|minus|times|by|of|over|mod|and|per|to|sqrt|root|log|ln|lg|exp|sin|cos|tan|max|min|abs|floor|ceil|round|gcd|lcm|sum|avg|mean|power|squared|cubed|factorial)$|[加减減乘除以的和与與开方负負之]$/i;
const labels =
  /^(?:steps?|lines?|day|week|month|year|options?|case|items?|parts?|phase|rounds?|question|problem|equations?|eq|example|method|no|number|level|chapter|section)$|[步第题題行天周月年项項]$/i;
const magnitude =
  /^(?:k|m|b|bn|mn|mio|thousand|million|billion|trillion|hundred|dozen|lakh|crore|r|rem|remainder|pi|π)$|^[百千万萬亿億兆余餘分个]?[百千万萬亿億兆余餘]|^分之/i;
const opening = /^(?:["'“‘`「『【[{|$]|\*\*|[，。；：、！？•])$/u;
const openingWithGap = /^[,;:.!?)\]]$/;

/** Tells whether a line speaks of remainders, other bases or the clock. */
export function isLineLeftAlone(line: string): boolean {
  return otherArithmetic.test(line);
}

/** Tells whether the words before an equation deny or only suppose it. */
export function isSupposed(before: string): boolean {
  const clause = before.split(/[.;!?。；！？](?:\s|$)|[。；！？]/).at(-1) ?? "";
  return supposed.test(clause);
}

/** Tells whether an expression can begin after a token, so that nothing before it belongs to it. */
export function precedesCleanly(
  before: ArithmeticToken | undefined,
  first: ArithmeticToken,
): boolean {
  if (before === undefined || before.kind === "equals") return true;
  const isSigned = first.kind === "operator";
  if (before.kind === "open") return !isSigned || first.text === "-";
  if (before.kind !== "other") return false;
  const hasGap = before.end < first.start;
  if (isSigned)
    return (
      first.text === "-" &&
      (/^[：，；]$/.test(before.text) || (hasGap && /^[:,;]$/.test(before.text)))
    );
  if (opening.test(before.text)) return true;
  if (openingWithGap.test(before.text)) return hasGap || before.text === ":";
  if (!/^[\p{L}\p{M}]+$/u.test(before.text) || computing.test(before.text)) return false;
  if (/\p{Script=Han}$/u.test(before.text)) return true;
  return hasGap && before.text.length > 1;
}

/** Tells whether a lone number before an equals sign is a whole side, not the end of a name like "Table 3". */
export function isLoneLeft(before: ArithmeticToken | undefined): boolean {
  return before === undefined || before.kind === "equals" || /^[,;:，；：。]$/.test(before.text);
}

/** Tells whether a number after this token may be the number of a step or a part. */
export function hasLabel(before: ArithmeticToken | undefined): boolean {
  return before !== undefined && labels.test(before.text);
}

/** Tells whether an expression can end before a token: yes, no, or with digits that go on. */
export function followsCleanly(
  after: ArithmeticToken | undefined,
  last: ArithmeticToken | undefined,
  next: ArithmeticToken | undefined,
): "yes" | "no" | "goes-on" {
  if (last === undefined) return "no";
  if (after === undefined || after.kind === "equals" || after.kind === "close") return "yes";
  if (after.text === "…" || (after.text === "." && next?.text === "." && next.start === after.end))
    return "goes-on";
  if (
    /^[!?？²³±°~√·⋅≡]/u.test(after.text) ||
    magnitude.test(after.text) ||
    after.text.startsWith("\\")
  )
    return "no";
  if (/^[A-Za-z]$|[\p{N}_#@&~]/u.test(after.text)) return "no";
  return "yes";
}
