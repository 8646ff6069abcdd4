const FORM = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE][+-]?\d+)?$/u;

/** How many digits a number can be asked for. */
const MOST_DIGITS = 100;

/** The number that a text writes; undefined where it writes none, and "lossy" where a number can't hold what it writes. */
export function readNumber(text: string): number | "lossy" | undefined {
  const form = FORM.exec(text);
  if (form === null) return undefined;
  const value = Number(text);
  const [, whole = "", fraction = ""] = form;
  const digits = significant(whole + fraction);
  if (!Number.isFinite(value) || digits.length > MOST_DIGITS) return "lossy";
  // Whole numbers beyond this one are not all there, so that one that fits by chance says nothing.
  if (Number.isInteger(value) && /^-?\d+$/u.test(text) && !Number.isSafeInteger(value))
    return "lossy";
  if (value === 0) return digits === "" ? 0 : "lossy";
  const back = value.toPrecision(Math.max(1, digits.length)).replace(/e.*$/u, "");
  return significant(back.replaceAll(/[-.]/gu, "")) === digits ? value : "lossy";
}

/** Without the zeros before and behind, which say only how large a number is. */
function significant(digits: string): string {
  return digits.replace(/^0+/u, "").replace(/0+$/u, "");
}
