import type { NameUse } from "./name-use.ts";
import { namesIn } from "./names-in.ts";
import type { OpenSpec } from "./open-spec.ts";
import type { Project } from "./projects.ts";

/** The name that an offset of a spec is in. */
export function nameAt(spec: OpenSpec, offset: number, project: Project): NameUse | undefined {
  return namesIn(spec.text, spec.outline, project.catalogue).findLast(
    ({ start, end }) => offset >= start && offset <= end,
  );
}
