import { findDates, type FoundDate } from "./dates.ts";

/** What a text says that can be looked up word for word. */
export interface Claims {
  readonly dates: readonly FoundDate[];
  /** Words of letters and digits like A20260824001. */
  readonly ids: readonly string[];
  readonly quotes: readonly string[];
  /** Numbers of two digits or more, or with decimals, as written. */
  readonly numbers: readonly string[];
}

const word =
  /(?<![\p{Script=Latin}\p{N}_])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*(?![\p{Script=Latin}\p{N}_])/gu;
const number =
  /(?<![\p{Script=Latin}\p{N}_.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\d|[.,:]\d)/gu;
const clock = /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?(?!\d)/g;
const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const quotation =
  /“([^“”\n]{2,200})”|「([^「」\n]{2,200})」|『([^『』\n]{2,200})』|"([^"\n]{2,200})"/g;
/** Names of norms, not of things in a record. */
const norm = /^(?:iso|rfc|utf|sha|http|ieee|din|gb)[-_]?\d+$/i;

/** Finds the dates, ids, quotations and numbers of a text; what is part of one is not found again as another. */
export function findClaims(text: string): Claims {
  const dates = findDates(text);
  const undated = dates
    .reduceRight((rest, { start, end }) => blank(rest, start, end), text)
    .replaceAll(clock, erase);
  const ids = [...undated.matchAll(word)].filter(([found]) => isId(found));
  const rest = ids.reduceRight(
    (left, match) => blank(left, match.index, match.index + match[0].length),
    undated,
  );
  return {
    dates,
    ids: unique(ids.map(([found]) => found)),
    quotes: findQuotes(text),
    numbers: unique(
      [...rest.matchAll(number)].map(([found]) => found).filter((found) => found.length > 1),
    ),
  };
}

/** Finds what stands in double quotation marks outside code; a line with an odd straight one tells nothing. */
function findQuotes(text: string): readonly string[] {
  const lines = text.replaceAll(code, erase).split("\n");
  const found = lines.flatMap((line) => {
    const isPaired = (line.match(/"/g) ?? []).length % 2 === 0;
    return [...(isPaired ? line : line.replaceAll('"', " ")).matchAll(quotation)].map(
      (match) => match.slice(1).find((part) => part !== undefined) ?? "",
    );
  });
  return unique(found.map((quote) => quote.trim()).filter((quote) => /[\p{L}\p{N}]/u.test(quote)));
}

/** Writes a number without separators and needless zeros, so that 1,234.50 and 1234.5 are equal. */
export function plainNumber(text: string): string {
  const [whole = "", decimals = ""] = text.replaceAll(",", "").split(".");
  const trimmed = decimals.replace(/0+$/, "");
  return `${whole.replace(/^0+(?=\d)/, "")}${trimmed === "" ? "" : `.${trimmed}`}`;
}

/** A quantity with its unit, like 100km, is a number and no id. */
function isId(found: string): boolean {
  const digits = found.replaceAll(/\D/g, "").length;
  return (
    digits >= 3 &&
    /[A-Za-z]/.test(found) &&
    !/^\d+[A-Za-z]{1,4}$/.test(found) &&
    !/^\d+(?:-[a-z]+)+$/i.test(found) &&
    !norm.test(found)
  );
}

function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
}

function erase(found: string): string {
  return found.replaceAll(/[^\n]/g, " ");
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
