import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import type { SpecNode } from "../../spec/text/spec-node.ts";
import type { ToolPolicy } from "../../program/program.ts";
import { type AdviceParts, branchedStages, settingOf } from "./advice-parts.ts";

/** Warns where a tool that must run once is named in a stage of which several branches run at once. */
export function adviseOnceSampled(parts: AdviceParts, diagnostics: Diagnostics): void {
  for (const { stage, sampledBy, repeatedBy } of branchedStages(parts.draft.strategy)) {
    const owner = sampledBy ?? repeatedBy;
    if (owner === undefined) continue;
    for (const { name, at } of namesIn(settingOf(parts, stage, "tools"))) {
      const policy = stage.policies.get(name) ?? parts.draft.tools.get(name)?.policy;
      if (policy === undefined || !mayRunTwice(policy, sampledBy !== undefined)) continue;
      diagnostics.warn(
        "LW-TOOL-ONCE-SAMPLED",
        at,
        `\`${name}\` must not run twice, and \`${owner.id}\` (line ${owner.position.line}) runs \`${stage.id}\` in several branches at once: each of them may call it`,
        `write \`tools: read\` here, and act in a stage after \`${owner.id}\``,
      );
    }
  }
}

// Items differ, so that a person who is asked each time decides about different things.
function mayRunTwice({ effect, approval }: ToolPolicy, isSampled: boolean): boolean {
  return effect === "once" && (isSampled || approval !== "always");
}

function namesIn(
  node: SpecNode | undefined,
): readonly { readonly name: string; readonly at: SpecNode }[] {
  if (node?.kind === "map") return [...node.entries].map(([name, { key }]) => ({ name, at: key }));
  if (node?.kind !== "list") return [];
  return node.items.flatMap((item) =>
    item.kind === "scalar" ? [{ name: String(item.value), at: item }] : [],
  );
}
