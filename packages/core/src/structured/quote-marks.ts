/** The marks that open a string, with the marks that can close it. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": '”“„‟＂"',
  "”": '”“„‟＂"',
  "„": '”“„‟＂"',
  "‟": '”“„‟＂"',
  "＂": '＂"',
  "‘": "’‘'",
  "’": "’‘'",
  "＇": "＇'",
  "「": "」",
  "『": "』",
  "«": "»",
};

/** The marks that close a string, or nothing where the character opens none. */
export function closersOf(mark: string | undefined): string | undefined {
  return mark === undefined || !Object.hasOwn(CLOSERS, mark) ? undefined : CLOSERS[mark];
}

/** True for the mark that stands before quoted text inside text. */
export function isLeftMark(mark: string): boolean {
  return mark === "“" || mark === "„" || mark === "‟";
}
