import type { Json } from "../contracts/json.ts";

/**
 * The one listed value that a text means: equal but for case, blanks and full width, else equal to what stands before its
 * first comma, where the rest only says more about it, as in `Shanghai, China`. Undefined where none is, and where it could
 * be more than one; `around` holds all values that the text may be, also those of other options.
 */
export function memberFor(
  text: string,
  choices: readonly Json[],
  around: readonly Json[] = choices,
): string | undefined {
  const whole = folded(text);
  const equal = membersEqual(whole, choices);
  if (equal.length > 0 || whole === "") return onlyOf(equal);
  const [first = "", ...others] = plain(text).split(/[,、]/u);
  const member = others.length === 0 ? undefined : onlyOf(membersEqual(folded(first), choices));
  if (member === undefined || !/\p{L}/u.test(member)) return undefined;
  const rest = others.join(" ");
  return isAddition(rest) && !namesAnother(rest, member, around) ? member : undefined;
}

function membersEqual(wanted: string, choices: readonly Json[]): readonly string[] {
  if (wanted === "") return [];
  return choices.filter(
    (choice): choice is string => typeof choice === "string" && folded(choice) === wanted,
  );
}

function onlyOf(found: readonly string[]): string | undefined {
  return found.length === 1 ? found[0] : undefined;
}

const maxWords = 3;
const maxChars = 40;
/** A name begins with a capital, or is of a script that has none, and is short there. */
const NAME = /^(?:[\p{Lu}\p{Lt}][\p{L}\p{M}.'’-]*|[\p{Lo}\p{M}]{1,8})$/u;
/** What takes back, limits or continues what stood before it. */
const TURNS =
  /^(?:not?|nor|n't|never|none|neither|or|and|but|except|unless|if|maybe|perhaps|possibly|instead|only|than|then|nicht|kein\w*|nein|oder|und|aber|außer|non|pas|ou|et|mais|ni|o|y|e|pero|sino)$/u;
const TURNS_OF_HAN = /[不没未无非别勿或和与及但而除若如]|可能|也许|还是|以外/u;

/** True for a few names, as of the country of a city; what is a part of a sentence may say anything about the value. */
function isAddition(rest: string): boolean {
  const words = rest.trim().split(/\s+/u);
  if (words.length > maxWords || rest.length > maxChars) return false;
  return words.every(
    (word) => NAME.test(word) && !TURNS.test(word.toLowerCase()) && !TURNS_OF_HAN.test(word),
  );
}

/** True where the rest holds another value that the text could be: `Shanghai, Beijing` may be either. */
function namesAnother(rest: string, member: string, around: readonly Json[]): boolean {
  const inWords = wordsOf(rest);
  return around.some((choice) => {
    if (typeof choice !== "string" || folded(choice) === folded(member)) return false;
    const own = wordsOf(choice);
    return (
      own.trim() !== "" && (inWords.includes(own) || (isHan(own) && inWords.includes(own.trim())))
    );
  });
}

function wordsOf(text: string): string {
  return ` ${folded(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()} `;
}

function isHan(text: string): boolean {
  return /\p{Lo}/u.test(text);
}

function folded(text: string): string {
  return plain(text).replaceAll(/\s+/gu, " ").trim().toLowerCase();
}

/** Full-width letters and marks become plain ones by NFKC. */
function plain(text: string): string {
  return text.slice(0, 1_000).normalize("NFKC");
}
