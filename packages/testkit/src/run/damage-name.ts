/** How a model spoils the name of a tool. */
export type Damage = "cut-short" | "swapped" | "doubled" | "case" | "separators";

/** Every kind of damage. */
export const DAMAGES: readonly Damage[] = ["cut-short", "swapped", "doubled", "case", "separators"];

/** A seeded source of numbers from 0 to below 1: equal seeds give equal rows (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Spoils a name in one way so that it is none of the known ones; undefined where a hundred draws find no such way. */
export function damageName(
  name: string,
  damage: Damage,
  known: ReadonlySet<string>,
  random: () => number,
): string | undefined {
  for (let draw = 0; draw < 100; draw++) {
    const spoilt = SPOIL[damage](name, (count) => Math.floor(random() * count));
    if (spoilt !== "" && !known.has(spoilt)) return spoilt;
  }
  return undefined;
}

/** Draws a whole number from 0 to below a count. */
type Draw = (count: number) => number;

const SPOIL: Readonly<Record<Damage, (name: string, draw: Draw) => string>> = {
  "cut-short": (name, draw) => name.slice(0, -1 - draw(Math.max(1, Math.floor(name.length / 3)))),
  swapped: (name, draw) => {
    const at = draw(name.length - 1);
    return `${name.slice(0, at)}${name[at + 1]}${name[at]}${name.slice(at + 2)}`;
  },
  doubled: (name, draw) => {
    const at = draw(name.length);
    return `${name.slice(0, at)}${name[at]}${name.slice(at)}`;
  },
  case: (name, draw) => {
    const cases = [
      name.toUpperCase(),
      name.toLowerCase(),
      name.replaceAll(/(?<![a-z])[a-z]/gi, (letter) => letter.toUpperCase()),
      swapCase(name, draw(name.length)),
    ];
    return cases[draw(cases.length)] ?? name;
  },
  separators: (name, draw) => {
    const separators = ["-", ".", "_", " ", "/", ""];
    const separator = separators[draw(separators.length)] ?? "-";
    if (/[._-]/.test(name)) return name.replaceAll(/[._-]+/g, separator);
    const at = 1 + draw(name.length - 1);
    return `${name.slice(0, at)}${separator}${name.slice(at)}`;
  },
};

function swapCase(name: string, at: number): string {
  const letter = name[at] ?? "";
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return `${name.slice(0, at)}${other}${name.slice(at + 1)}`;
}
