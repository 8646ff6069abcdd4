import { resolveShape, type Shape } from "../../spec/text/shape.ts";
import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import type { SpecNode } from "../../spec/text/spec-node.ts";
import type { Template } from "../../spec/text/template.ts";
import { allStages } from "../flow/flow-context.ts";
import { readsOfTemplate } from "../flow/state-reads.ts";
import { type AdviceParts, settingOf } from "./advice-parts.ts";

/** Warns of an input inside `instructions`: whoever fills it in could give the agent orders. */
export function advisePromptInput(parts: AdviceParts, diagnostics: Diagnostics): void {
  const { draft, document } = parts;
  report(draft.instructions, document.section("instructions"), parts, diagnostics);
  for (const stage of allStages(draft.strategy))
    report(stage.instructions, settingOf(parts, stage, "instructions"), parts, diagnostics);
}

function report(
  template: Template | undefined,
  node: SpecNode | undefined,
  { draft }: AdviceParts,
  diagnostics: Diagnostics,
): void {
  if (template === undefined || node === undefined) return;
  for (const { path, at } of readsOfTemplate(template, node, "`instructions`")) {
    if (!/^inputs(\.|$)/.test(path) || isHarmless(draft.shape, path)) continue;
    diagnostics.warn(
      "LW-PROMPT-INPUT",
      at,
      `\`{{ ${path} }}\` puts an input into \`instructions\`, which a model obeys: whoever fills it in could give orders`,
      "put it into `task` or a `prompt`, where it is data",
    );
  }
}

// A number or one of a few words gives no orders.
function isHarmless(shape: Shape, path: string): boolean {
  const found = resolveShape(shape, path);
  return found.ok && ["number", "boolean", "enum"].includes(found.shape.kind);
}
