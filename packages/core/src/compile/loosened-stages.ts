import type { CompiledStage, Program, ToolPolicy } from "../program/program.ts";
import { type Diagnostic, Diagnostics } from "../spec/text/diagnostic.ts";
import { entry } from "../spec/text/spec-node.ts";
import type { SpecIndex } from "./spec-index.ts";

/**
 * Warns of every stage whose own, stricter approval of a tool an overlay takes away or weakens; where the tool itself is
 * loosened, that is told with the tool.
 */
export function loosenedStages(
  before: { readonly program: Program; readonly index: SpecIndex },
  after: { readonly program: Program; readonly index: SpecIndex },
  layer: string,
): readonly Diagnostic[] {
  const diagnostics = new Diagnostics();
  for (const stage of after.program.stages.values()) {
    const former = before.program.stages.get(stage.id);
    if (former === undefined) continue;
    const site = after.index.stages.get(stage.id);
    const at = site === undefined ? stage.position : (entry(site.settings, "tools") ?? site.at);
    const was = before.index.stages.get(stage.id);
    const place = (was === undefined ? undefined : entry(was.settings, "tools")) ?? former.position;
    for (const name of stage.tools.filter((tool) => isLoosened(tool, former, stage, before, after)))
      diagnostics.warn(
        "LW-TOOL-LOOSENED-APPROVAL",
        at,
        `${layer} loosens the approval of \`${name}\` in \`${stage.id}\` (was ${wordsOf(former.policies.get(name))}, ${place.file}:${place.line})`,
        "say `approval` as it was, or keep it so on purpose",
      );
  }
  return diagnostics.items;
}

function isLoosened(
  tool: string,
  former: CompiledStage,
  stage: CompiledStage,
  before: { readonly program: Program },
  after: { readonly program: Program },
): boolean {
  const own = former.policies.get(tool);
  const shared = [before, after].map(({ program }) => program.tools.get(tool)?.policy);
  if (own === undefined || rankOf(own) <= rankOf(shared[0])) return false;
  return rankOf(stage.policies.get(tool) ?? shared[1]) < rankOf(own);
}

function rankOf(policy: ToolPolicy | undefined): number {
  if (policy === undefined || policy.approval === "never") return 0;
  return policy.approval === "always" ? 2 : 1;
}

function wordsOf(policy: ToolPolicy | undefined): string {
  const approval = policy?.approval ?? "never";
  return typeof approval === "string" ? approval : `when ${approval.when.source}`;
}
