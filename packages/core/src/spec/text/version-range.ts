/** A version of a package: its numbers, and what marks it as a forerunner (`beta.1`). */
interface Version {
  readonly numbers: readonly [number, number, number];
  readonly pre: readonly string[];
}

/** One bound of a range. */
interface Comparator {
  readonly least?: Version;
  /** Not in the range itself. */
  readonly below?: Version;
  readonly exact?: Version;
}

/** Versions as npm writes them: `1.2.3`, `^1.2`, `~1.2.3`, `>=1 <3`, `1.x`, `*`, several with `||`. */
export interface VersionRange {
  allows(version: string): boolean;
}

/** Reads a range of versions; undefined for anything else, as for a path, an address or a tag. */
export function parseRange(text: string): VersionRange | undefined {
  const choices = text.split("||").map((part) => parseChoice(part.trim()));
  if (choices.some((choice) => choice === undefined)) return undefined;
  return {
    allows: (said) => {
      const version = parseVersion(said);
      return (
        version !== undefined &&
        choices.some((choice) => choice !== undefined && fitsAll(version, choice))
      );
    },
  };
}

const part = String.raw`(0|[1-9]\d{0,8}|[xX*])`;
const partial = new RegExp(
  String.raw`^v?${part}(?:\.${part}(?:\.${part}(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?)?)?$`,
);

function parseVersion(text: string): Version | undefined {
  const match = partial.exec(text);
  if (match === null) return undefined;
  const numbers = [match[1], match[2], match[3]].map(Number);
  const [major = Number.NaN, minor = Number.NaN, patch = Number.NaN] = numbers;
  if (numbers.some(Number.isNaN)) return undefined;
  return { numbers: [major, minor, patch], pre: match[4]?.split(".") ?? [] };
}

function parseChoice(text: string): readonly Comparator[] | undefined {
  const terms = text.replaceAll(/(>=|<=|>|<|=|\^|~)\s+/g, "$1").split(/\s+/);
  const comparators = terms.map(parseTerm);
  return comparators.some((term) => term === undefined)
    ? undefined
    : comparators.filter((term) => term !== undefined);
}

function parseTerm(term: string): Comparator | undefined {
  const match = /^(>=|<=|>|<|=|\^|~)?(.+)$/.exec(term);
  const parts = partial.exec(match?.[2] ?? "");
  if (match === null || parts === null) return undefined;
  const given = [parts[1], parts[2], parts[3]]
    .map((value) => (value === undefined || /[xX*]/.test(value) ? undefined : Number(value)))
    .reduce<number[]>((known, value, index) => {
      if (value !== undefined && known.length === index) known.push(value);
      return known;
    }, []);
  const pre = given.length === 3 ? (parts[4]?.split(".") ?? []) : [];
  const sign = match[1] ?? "";
  // Bounded by a forerunner on its other side: nobody asks for that.
  if (pre.length > 0 && [">", "<=", "<"].includes(sign)) return undefined;
  return comparatorOf(sign, given, pre);
}

function comparatorOf(sign: string, given: readonly number[], pre: readonly string[]): Comparator {
  const from = versionOf(given, pre);
  // One above the whole of what was written: `1.2` ends below `1.3`.
  const end = given.length === 0 ? undefined : raised(given, given.length - 1);
  switch (sign) {
    case ">=":
      return { least: from };
    case "<":
      return { below: from };
    case ">":
      if (given.length === 3) return { least: { ...raisedAt(from, 2), pre: [] } };
      return end === undefined ? { below: versionOf([0], ["0"]) } : { least: { ...end, pre: [] } };
    case "<=":
      return end === undefined ? {} : { below: end };
    case "^": {
      const firstMark = given.findIndex((value) => value > 0);
      const at = firstMark === -1 ? given.length - 1 : firstMark;
      return given.length === 0 ? {} : { least: from, below: raised(given, at) };
    }
    case "~":
      return given.length === 0
        ? {}
        : { least: from, below: raised(given, Math.min(1, given.length - 1)) };
    default:
      if (given.length === 3) return { exact: from };
      return end === undefined ? {} : { least: from, below: end };
  }
}

function versionOf(given: readonly number[], pre: readonly string[]): Version {
  return { numbers: [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0], pre };
}

function raised(given: readonly number[], at: number): Version {
  return raisedAt(versionOf(given.slice(0, at + 1), []), at);
}

// Below it lie no forerunners of the raised version either.
function raisedAt({ numbers }: Version, at: number): Version {
  const next = numbers.map((value, index) => (index === at ? value + 1 : index > at ? 0 : value));
  return versionOf(next, ["0"]);
}

function fitsAll(version: Version, comparators: readonly Comparator[]): boolean {
  const fits = comparators.every(
    ({ least, below, exact }) =>
      (least === undefined || compare(version, least) >= 0) &&
      (below === undefined || compare(version, below) < 0) &&
      (exact === undefined || compare(version, exact) === 0),
  );
  // As npm does it: a forerunner is only meant where the range names one of the same version.
  const isNamed = comparators.some(({ least, exact }) =>
    [least, exact].some(
      (bound) =>
        bound !== undefined &&
        bound.pre.length > 0 &&
        bound.numbers.every((value, index) => value === version.numbers[index]),
    ),
  );
  return fits && (version.pre.length === 0 || isNamed);
}

function compare(a: Version, b: Version): number {
  for (const [index, value] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0;
    if (value !== other) return value - other;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (const [index, mark] of a.pre.entries()) {
    const other = b.pre[index];
    if (other === undefined) return 1;
    const order = compareMarks(mark, other);
    if (order !== 0) return order;
  }
  return a.pre.length - b.pre.length;
}

// Numbers come before words, as in semantic versioning.
function compareMarks(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
