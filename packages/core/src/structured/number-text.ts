/** A number read from text; `ambiguous` where it has two readings. */
export type NumberReading = number | "ambiguous" | undefined;

const PLAIN = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const UNDERSCORES = /^[+-]?[1-9]\d*(?:_\d+)+(?:\.\d+)?$/;
const COMMAS = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;
const DOTS = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/;
const SPACES = /^[+-]?[1-9]\d{0,2}(?:[\u00a0\u2009\u202f'’]\d{3})+(?:[.,]\d+)?$/;
const BLANKS = /^[+-]?[1-9]\d{0,2}(?: \d{3}){2,}$/;

/** Text with its full-width digits and signs as plain ones. */
export function plainDigits(text: string): string {
  return text.replace(/[０-９．＋－−]/g, (mark) =>
    mark === "−" ? "-" : String.fromCharCode(mark.charCodeAt(0) - 0xfee0),
  );
}

/** Reads a number where the text has one reading: no unit, no rounding, and thousand separators only where nothing else is meant. */
export function readNumberText(source: string, isInteger: boolean): NumberReading {
  const text = plainDigits(source.trim());
  if (text.length > 40) return undefined;
  const plain = ungrouped(text, isInteger);
  if (plain === undefined || plain === "ambiguous") return plain;
  const value = Number(plain);
  if (!Number.isFinite(value)) return undefined;
  if (isInteger && !Number.isSafeInteger(value)) return undefined;
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^[+-]?\d+$/.test(plain))
    return undefined;
  return value;
}

function ungrouped(text: string, isInteger: boolean): string | undefined {
  if (PLAIN.test(text)) return text;
  if (UNDERSCORES.test(text)) return text.replaceAll("_", "");
  if (COMMAS.test(text)) {
    const isUnique = isInteger || text.includes(".") || text.indexOf(",") !== text.lastIndexOf(",");
    return isUnique ? text.replaceAll(",", "") : "ambiguous";
  }
  if (DOTS.test(text)) return text.replaceAll(".", "").replace(",", ".");
  if (SPACES.test(text)) return text.replaceAll(/[\u00a0\u2009\u202f'’]/g, "").replace(",", ".");
  return BLANKS.test(text) ? text.replaceAll(" ", "") : undefined;
}
