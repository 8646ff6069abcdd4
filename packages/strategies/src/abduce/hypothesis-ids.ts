import { type Hypothesis, type Mark, plainText } from "./hypotheses.ts";

const ID = /^[\s\p{P}\p{S}]*(?:hypothesis|h|假设)[\s#-]{0,3}(\d{1,4})(?![A-Za-z0-9_])/iu;
const maxIdChars = 60;

/** The id of the hypothesis that a model means by `h2`, `[H2]`, `H2: the disk` or its words; undefined where it is none. */
export function idIn(said: string, hypotheses: readonly Hypothesis[]): string | undefined {
  const number = ID.exec(said.slice(0, maxIdChars).normalize("NFKC"))?.[1];
  const byId = number === undefined ? undefined : `H${Number(number)}`;
  const words = plainText(said);
  return hypotheses.find(({ id, text }) =>
    byId === undefined ? plainText(text) === words : id === byId,
  )?.id;
}

/** Sayings about hypotheses, each under its id, and what of them can't be used. */
export interface Sayings<T> {
  readonly known: readonly T[];
  /** What names no hypothesis. */
  readonly unknown: readonly string[];
  /** The ids of which two different things are said. */
  readonly contradictory: readonly string[];
}

/** Puts sayings under the ids of the hypotheses that they mean; where two contradict each other, neither counts. */
export function byHypothesis<T extends Pick<Mark, "hypothesis">>(
  sayings: readonly T[],
  hypotheses: readonly Hypothesis[],
  wordOf: (saying: T) => string,
): Sayings<T> {
  const unknown: string[] = [];
  const words = new Map<string, Set<string>>();
  const named = sayings.flatMap((saying) => {
    const id = idIn(saying.hypothesis, hypotheses);
    if (id === undefined) unknown.push(saying.hypothesis);
    if (id === undefined) return [];
    words.set(id, (words.get(id) ?? new Set()).add(wordOf(saying)));
    return [{ ...saying, hypothesis: id }];
  });
  const contradictory = [...words].flatMap(([id, all]) => (all.size > 1 ? [id] : []));
  const known = named.filter(({ hypothesis }) => !contradictory.includes(hypothesis));
  return { known, unknown, contradictory };
}
