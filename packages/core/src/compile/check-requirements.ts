import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry } from "../spec/text/spec-node.ts";
import type { SpecDocument } from "../spec/document/read-document.ts";
import type { Draft } from "./canonical-spec.ts";
import type { CheckList } from "./compile-checks.ts";
import { namesOf } from "./compile-plugins.ts";

interface RequiringParts {
  readonly draft: Draft;
  readonly document: SpecDocument;
  readonly checks: CheckList;
}

/** Reports checks that can never pass, or never find anything, in this spec. */
export function checkRequirements(
  { draft, document, checks }: RequiringParts,
  diagnostics: Diagnostics,
): void {
  const { stages, tools } = draft;
  // A tool that could not be found is told where it stands, and might be called once it is there.
  const canCallTools =
    [...stages.values()].some((stage) => stage.tools.length > 0) ||
    namesOf(document.section("tools")).some((name) => !tools.has(name));
  const task = document.section("task");
  const constraints = task?.kind === "map" ? entry(task, "constraints") : undefined;
  const hasConstraints = constraints?.kind === "list" && constraints.items.length > 0;
  for (const [index, { definition }] of checks.entries.entries()) {
    const at = checks.places[index];
    if (at === undefined) continue;
    if (definition.requires === "tools" && !canCallTools) {
      const message = `the check \`${definition.id}\` needs tool results, and no stage of this spec can call a tool: it can never pass`;
      diagnostics.error(
        "LW-FLOW-NEVER-PASSES",
        at,
        message,
        "list tools under `tools` and act, for example with `react`, or delete the check",
      );
    }
    if (definition.requires === "constraints" && !hasConstraints) {
      const message = `the check \`${definition.id}\` has nothing to look at: the task has no constraints`;
      diagnostics.warn(
        "LW-FLOW-UNREACHABLE",
        at,
        message,
        "add `task: { constraints: [...] }`, or delete the check",
      );
    }
  }
}
