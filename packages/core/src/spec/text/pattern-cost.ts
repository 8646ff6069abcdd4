/** How much work a pattern may cause on a text that does not fit. */
export interface PatternCost {
  /** The power of the text's length: 1 is linear. */
  readonly degree: number;
  /** What the choices of fixed length multiply to. */
  readonly factor: number;
  /** Whether a group is repeated whose own length can vary, which can double the work with every character. */
  readonly isExponential: boolean;
}

/** A set of characters that occurs from `min` to `max` times; `max` is Infinity where it is open. */
interface Atom {
  readonly set: ReadonlySet<string>;
  readonly min: number;
  readonly max: number;
}

interface Cursor {
  readonly tokens: readonly string[];
  index: number;
  isExponential: boolean;
}

/**
 * Estimates, never too low, how a backtracking matcher can go about a well-formed pattern without look-around and back
 * references: two parts of open length that may take the same characters, with nothing firm between them, multiply.
 */
export function costOfPattern(pattern: string): PatternCost {
  const tokens: readonly string[] = pattern.match(tokenPattern) ?? [];
  const cursor: Cursor = { tokens, index: 0, isExponential: false };
  const sample = sampleOf(pattern);
  const atoms = readChoices(cursor, sample);
  const isAnchored = tokens[0] === "^" && !tokens.includes("|");
  const isOpenEnded = tokens.at(-1) !== "$";
  const { degree, factor } = costOfAtoms(isOpenEnded ? withoutTail(atoms) : atoms);
  return {
    degree: isAnchored || degree === 0 ? degree : degree + 1,
    factor,
    isExponential: cursor.isExponential,
  };
}

const tokenPattern =
  /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?::|<\w+>))?|\{\d+,?\d*\}\??|[*+?]\??|[^]/gsu;
const quantifier = /^(?:\{(\d+)(,?)(\d*)\}|([*+?]))\??$/;

// Sets of characters are compared on a sample; what the pattern itself names belongs to it.
function sampleOf(pattern: string): readonly string[] {
  const sample = new Set(pattern);
  for (let code = 0; code < 0x250; code++) sample.add(String.fromCharCode(code));
  for (const character of "ΩωЖжאعनก가あア中文—’“…€Ａ１，：\u2028\u3000😀🏳") sample.add(character);
  return [...sample];
}

function readChoices(cursor: Cursor, sample: readonly string[]): Atom[] {
  const choices: Atom[][] = [[]];
  for (; cursor.index < cursor.tokens.length && cursor.tokens[cursor.index] !== ")"; ) {
    const token = cursor.tokens[cursor.index] ?? "";
    cursor.index += 1;
    if (token === "|") choices.push([]);
    else if (!isPlace(token)) choices.at(-1)?.push(...readAtoms(token, cursor, sample));
  }
  const [only] = choices;
  if (choices.length === 1 && only !== undefined) return only;
  // One of several: each may be there or not.
  return choices.flat().map((atom) => ({ ...atom, min: 0 }));
}

function readAtoms(token: string, cursor: Cursor, sample: readonly string[]): Atom[] {
  if (!token.startsWith("(")) {
    const [min, max] = readTimes(cursor);
    return [{ set: charactersOf(token, sample), min, max }];
  }
  const inner = readChoices(cursor, sample);
  cursor.index += 1;
  const [min, max] = readTimes(cursor);
  if (max <= 1) return min === 1 ? inner : inner.map((atom) => ({ ...atom, min: 0 }));
  if (inner.some((atom) => atom.min !== atom.max)) cursor.isExponential = true;
  return [{ set: new Set(inner.flatMap((atom) => [...atom.set])), min, max }];
}

function readTimes(cursor: Cursor): readonly [number, number] {
  const match = quantifier.exec(cursor.tokens[cursor.index] ?? "");
  if (match === null) return [1, 1];
  cursor.index += 1;
  const [, least, comma, most, sign] = match;
  if (sign !== undefined) return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Infinity];
  const min = Number(least);
  return [min, comma === "" ? min : most === "" ? Infinity : Number(most)];
}

function isPlace(token: string): boolean {
  return token === "^" || token === "$" || token === "\\b" || token === "\\B";
}

function charactersOf(token: string, sample: readonly string[]): ReadonlySet<string> {
  const one = new RegExp(`^(?:${token})$`, "su");
  return new Set(sample.filter((character) => one.test(character)));
}

// Nothing has to follow: what is taken last need never be given back.
function withoutTail(atoms: readonly Atom[]): readonly Atom[] {
  const last = atoms.findLastIndex((atom) => atom.min > 0);
  const tail = atoms[last];
  return tail === undefined ? [] : [...atoms.slice(0, last), { ...tail, max: tail.min }];
}

function costOfAtoms(atoms: readonly Atom[]): { degree: number; factor: number } {
  let chain: Atom[] = [];
  let [degree, factor] = [0, 1];
  let [chainDegree, chainFactor] = [0, 1];
  for (const atom of atoms) {
    const overlaps = chain.some((other) =>
      [...atom.set].some((character) => other.set.has(character)),
    );
    if (atom.min > 0 && !overlaps) {
      chain = [];
      [chainDegree, chainFactor] = [0, 1];
    }
    if (atom.min === atom.max) continue;
    if (atom.max === Infinity) chainDegree += overlaps || chainDegree === 0 ? 1 : 0;
    else chainFactor *= overlaps || chain.length === 0 ? atom.max - atom.min + 1 : 1;
    chain.push(atom);
    degree = Math.max(degree, chainDegree);
    factor = Math.max(factor, chainFactor);
  }
  return { degree, factor };
}
