import type { Observation } from "../contracts/state.ts";

const CITATION = /\[((?:[\w:-]+\.)*observation-\d+)\]/g;

/** The observation ids that a text cites in square brackets, each once, in order. */
export function citedEvidence(text: string): readonly string[] {
  return [...new Set([...text.matchAll(CITATION)].map((match) => match[1] as string))];
}

/** The ids that may be named as evidence: a thought is none. */
export function evidenceIds(observations: readonly Observation[]): ReadonlySet<string> {
  return new Set(observations.flatMap(({ id, isThought }) => (isThought === true ? [] : [id])));
}

/** Parts ids into those that name an observation and the rest; brackets around an id are dropped. */
export function knownEvidence(
  ids: readonly string[],
  observations: readonly Observation[],
): { readonly known: readonly string[]; readonly unknown: readonly string[] } {
  const all = evidenceIds(observations);
  const plain = [...new Set(ids.map((id) => id.trim().replace(/^\[|\]$/g, "")))];
  return { known: plain.filter((id) => all.has(id)), unknown: plain.filter((id) => !all.has(id)) };
}
