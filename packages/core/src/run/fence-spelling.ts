/** The word that names the fence of an observation and begins its id. */
const WORD = "observation";

/** Letters of other scripts that look like those of the word; forms that Unicode itself folds are computed. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  o: "0оοօσ๐໐೦๏०০੦૦௦ဝ〇ɵᴏᴑº°ⲟ",
  b: "6ЬьвƅʙɓᏏᑲᖯβ",
  s: "5$ѕꜱʂꮪՏ",
  e: "3еҽ℮ɛεєᴇ€",
  r: "гᴦꭇꭈʀᚱ",
  v: "νѵᴠט∨⋁",
  a: "@4аɑαᴀ",
  t: "7тτᴛ†",
  i: "1l|!іıɩιꭵӏǀ",
  n: "пոпոɴηℵ",
};

/** Where Unicode keeps letters that fold to plain ones: accented, raised, enclosed, wide, mathematical. */
const FOLDING_BLOCKS: readonly (readonly [number, number])[] = [
  [0x00c0, 0x024f],
  [0x1d2c, 0x1dbf],
  [0x1e00, 0x1eff],
  [0x2070, 0x209c],
  [0x2100, 0x214f],
  [0x249c, 0x24e9],
  [0xff21, 0xff5a],
  [0x1d400, 0x1d6a3],
  [0x1f110, 0x1f149],
];

/** Enclosed capitals that nothing folds, each block from A to Z. */
const CAPITAL_BLOCKS = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6];

const ASCII_UNSEEN = "(?:[\\s\\x00-\\x1f_.*~-]|&(?:shy|zwj|zwnj|nbsp|ZeroWidthSpace);){0,16}";
/** What stands between letters without being seen, or only as a space. */
const UNSEEN =
  "(?:[\\s\\p{Default_Ignorable_Code_Point}\\p{Mn}\\p{Cc}\\u2800\\uFFF9-\\uFFFB_.*~-]|&(?:shy|zwj|zwnj|nbsp|ZeroWidthSpace);){0,16}";

const OPENING_MARKS =
  "<\\uFF1C\\uFE64\\u2039\\u00AB\\u3008\\u300A\\u27E8\\u27EA\\u2329\\u276C\\u276E\\u2770\\u02C2\\u1438\\u226A\\u29FC";
const OPENING = `(?:[${OPENING_MARKS}]|&(?:amp;)*(?:lt|#0*60|#x0*3c|lang|lsaquo|laquo);?|\\\\u003c|\\\\x3c|%3c)`;

const BRACKET_MARKS = "\\[\\uFF3B\\u3010\\u3014\\u27E6\\uFE5D\\u3016";
const BRACKET = `(?:[${BRACKET_MARKS}]|&(?:amp;)*(?:lbrack|lsqb|#0*91|#x0*5b);?|\\\\u005b|\\\\x5b|%5b)`;

/** What may stand between the bracket of a fence and its name, besides marks: slashes and spaces as escapes. */
const ESCAPED_GAP =
  "&(?:#0*(?:32|47|160)|#x0*(?:20|2f|a0)|sol|nbsp|shy|zwj|zwnj|ZeroWidthSpace);?|%(?:20|2f)|\\\\u00(?:20|2f)|\\\\x(?:20|2f)|\\\\[nrt]";
// Another bracket begins a look of its own, so that a text of brackets is read in linear work.
const GAP = `(?:[^\\p{L}\\p{N}${OPENING_MARKS}]|${ESCAPED_GAP})*?`;
const ASCII_GAP = `(?:[^a-z0-9<]|${ESCAPED_GAP})*?`;
/** In quotes an id is a text like any other, as in JSON. */
const ID_GAP = `[^\\p{L}\\p{N}"'\\u2018-\\u201F${BRACKET_MARKS}]*?`;
const ASCII_ID_GAP = "[^a-z0-9\"'[]*?";

const BRANCH = "(?:[\\p{L}\\p{N}_:-]{1,64}\\.){0,8}";
const ASCII_BRANCH = "(?:[\\w:-]{1,64}\\.){0,8}";

/** How the beginning of a fence and of an id in brackets can be written; the name is the second group. */
interface FenceSpelling {
  readonly fence: RegExp;
  readonly id: RegExp;
}

let ascii: FenceSpelling | undefined;
let every: FenceSpelling | undefined;

/** Every spelling that a reader of `text` may take for a fence or for the id of an observation. */
export function fenceSpelling(text: string): FenceSpelling {
  // Classes of all scripts take long to make ready, and most results are plain.
  if (PLAIN.test(text)) return (ascii ??= asciiSpelling());
  return (every ??= everySpelling());
}

// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\u0000-\u007F]*$/u;

function asciiSpelling(): FenceSpelling {
  const ofAscii = (letter: string): string => (LOOKALIKES[letter] ?? "").replaceAll(/[^ -~]/gu, "");
  const name = nameOf(ofAscii, ASCII_UNSEEN);
  const number = `(?=${ASCII_UNSEEN}[\\s_:-]{0,3}\\d)`;
  return {
    fence: new RegExp(`(${OPENING}${ASCII_GAP})(${name})`, "gi"),
    id: new RegExp(`(${BRACKET}${ASCII_ID_GAP}${ASCII_BRANCH})(${name})${number}`, "gi"),
  };
}

function everySpelling(): FenceSpelling {
  const folding = foldingLetters();
  const name = nameOf(
    (letter) => `${LOOKALIKES[letter] ?? ""}${folding.get(letter) ?? ""}`,
    UNSEEN,
  );
  const number = `(?=${UNSEEN}[\\p{Pd}\\u2212\\s_:]{0,3}\\p{N})`;
  return {
    fence: new RegExp(`(${OPENING}${GAP})(${name})`, "giu"),
    id: new RegExp(`(${BRACKET}${ID_GAP}${BRANCH})(${name})${number}`, "giu"),
  };
}

function nameOf(alike: (letter: string) => string, unseen: string): string {
  return WORD.split("")
    .map((letter) => letterPattern(letter, alike(letter)))
    .join(unseen);
}

function letterPattern(letter: string, alike: string): string {
  const codes = [letter, letter.toUpperCase()].map((form) => form.charCodeAt(0));
  const hex = codes.map((code) => code.toString(16)).join("|");
  const entity = `&(?:amp;)*#(?:0*(?:${codes.join("|")})|x0*(?:${hex}));?`;
  const shapes = `[${letter}${escapeClass(alike)}]`;
  return `(?:${shapes}|${entity}|\\\\u00(?:${hex})|\\\\x(?:${hex})|%(?:${hex}))`;
}

function escapeClass(text: string): string {
  return text.replaceAll(/[\\\]^|$-]/gu, "\\$&");
}

/** The letters of the word in the blocks that fold, by their plain form. */
function foldingLetters(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (plain: string, shape: string): void => {
    if (WORD.includes(plain)) found.set(plain, (found.get(plain) ?? "") + shape);
  };
  for (const [first, last] of FOLDING_BLOCKS)
    for (let code = first; code <= last; code += 1) {
      const shape = String.fromCodePoint(code);
      const plain = shape
        .normalize("NFKD")
        .toLowerCase()
        .replaceAll(/[^a-z]/gu, "");
      if (plain.length === 1) add(plain, shape);
    }
  for (const first of CAPITAL_BLOCKS)
    for (let index = 0; index < 26; index += 1)
      add(String.fromCharCode(97 + index), String.fromCodePoint(first + index));
  return found;
}
