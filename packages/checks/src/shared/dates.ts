/** A date found in a text; `readings` holds `2026-08-24`, or `--08-24` without a year, one for each way to read it. */
export interface FoundDate {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly readings: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const month =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const day = "(\\d{1,2})(?:st|nd|rd|th)?";

interface Form {
  readonly pattern: RegExp;
  /** Year, month and day of each reading, in the groups' own words. */
  readonly read: (groups: readonly string[]) => readonly (readonly [string, string, string])[];
}

/** Longer forms come first: a form that overlaps an earlier one is skipped. */
const forms: readonly Form[] = [
  {
    pattern: /(?<![\d.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[-/.]\d)/g,
    read: ([year = "", , monthText = "", dayText = ""]) => [[year, monthText, dayText]],
  },
  {
    pattern: /(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?[日号號]/g,
    read: ([year = "", monthText = "", dayText = ""]) => [[year, monthText, dayText]],
  },
  {
    pattern: new RegExp(`\\b${day}(?: of)?[ -]${month},?[ -](\\d{4})\\b`, "gi"),
    read: ([dayText = "", monthText = "", year = ""]) => [[year, monthText, dayText]],
  },
  {
    pattern: new RegExp(`\\b${month} ${day},? (\\d{4})\\b`, "gi"),
    read: ([monthText = "", dayText = "", year = ""]) => [[year, monthText, dayText]],
  },
  {
    pattern: /(?<![\d./-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?!\d|[./-]\d)/g,
    read: ([first = "", , second = "", year = ""]) => [
      [year, second, first],
      [year, first, second],
    ],
  },
  {
    pattern: /(?<!\d)(\d{1,2})\s?月\s?(\d{1,2})\s?[日号號]/g,
    read: ([monthText = "", dayText = ""]) => [["", monthText, dayText]],
  },
  {
    pattern: new RegExp(`\\b${day}(?: of)? ${month}(?![a-z])`, "gi"),
    read: ([dayText = "", monthText = ""]) => [["", monthText, dayText]],
  },
  {
    pattern: new RegExp(`\\b${month} ${day}\\b(?![:,.]?\\d)`, "gi"),
    read: ([monthText = "", dayText = ""]) => [["", monthText, dayText]],
  },
];

/** Finds the dates of a text in the usual English, Chinese and ISO forms; what is no day of the calendar is left out. */
export function findDates(text: string): readonly FoundDate[] {
  const found: FoundDate[] = [];
  for (const { pattern, read } of forms) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      const readings = read(match.slice(1)).flatMap((parts) => toIso(...parts));
      if (readings.length === 0 || found.some((other) => start < other.end && other.start < end))
        continue;
      found.push({ text: match[0], start, end, readings: [...new Set(readings)] });
    }
  }
  return found.toSorted((left, right) => left.start - right.start);
}

/** Tells whether a date is among others; one without a year matches every year. */
export function isKnownDate({ readings }: FoundDate, known: ReadonlySet<string>): boolean {
  return readings.some((reading) => {
    const short = `--${reading.slice(-5)}`;
    if (known.has(reading) || known.has(short)) return true;
    return reading === short && [...known].some((other) => other.endsWith(reading.slice(1)));
  });
}

/** Collects the readings of all dates of a text, also of bare digits like 20260824. */
export function knownDates(text: string): ReadonlySet<string> {
  const bare = [...text.matchAll(/(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)/g)];
  return new Set([
    ...findDates(text).flatMap(({ readings }) => readings),
    ...bare.flatMap(([, year = "", monthText = "", dayText = ""]) =>
      toIso(year, monthText, dayText),
    ),
  ]);
}

function toIso(year: string, monthText: string, dayText: string): readonly string[] {
  const named = months.indexOf(monthText.slice(0, 3).toLowerCase()) + 1;
  const monthNumber = named > 0 ? named : Number(monthText);
  const dayNumber = Number(dayText);
  // A leap year stands in for an unknown one.
  const last = new Date(Date.UTC(year === "" ? 2000 : Number(year), monthNumber, 0)).getUTCDate();
  if (!(monthNumber >= 1 && monthNumber <= 12 && dayNumber >= 1 && dayNumber <= last)) return [];
  return [`${year === "" ? "-" : year}-${pad(monthNumber)}-${pad(dayNumber)}`];
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
