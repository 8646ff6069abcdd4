import type { FollowedKind } from "./name-use.ts";
import { definedNames } from "./names-in.ts";
import type { OpenSpec } from "./open-spec.ts";

/** The names of a kind that a spec gives, in it and in its bases; those of stages also where they are not written. */
export function knownNames(spec: OpenSpec, kind: FollowedKind): readonly string[] {
  const index = spec.checked?.index;
  const written = definedNames(spec.outline)
    .filter((use) => use.kind === kind)
    .map(({ name }) => name);
  const indexed = (index?.uses ?? []).filter((use) => use.isDefinition && use.kind === kind);
  const stages = kind === "stage" ? [...(index?.stages.keys() ?? [])] : [];
  return [...new Set([...written, ...indexed.map(({ name }) => name), ...stages])];
}
