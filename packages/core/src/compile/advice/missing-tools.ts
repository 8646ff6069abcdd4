import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import { allStages, ownWrites, placeOf } from "../flow/flow-context.ts";
import type { AdviceParts } from "./advice-parts.ts";

/** Warns of stages that act and have no tool to act with. */
export function adviseMissingTools({ draft }: AdviceParts, diagnostics: Diagnostics): void {
  for (const stage of allStages(draft.strategy)) {
    const acts = ownWrites(stage, { unsound: new Set() }).includes("observations");
    if (!acts || stage.tools.length > 0) continue;
    diagnostics.warn(
      "LW-STAGE-NO-TOOLS",
      placeOf(stage),
      `\`${stage.definition.id}\` acts, and there is no tool that it may call`,
      draft.tools.size === 0
        ? "list tools at the top of the spec: `tools: [...]`, or write a strategy that does not act, like `direct`"
        : `let it call some: \`tools: all\` in \`${stage.id}\`, or write a strategy that does not act, like \`direct\``,
    );
  }
}
