import type { CompiledStage } from "../../program/program.ts";
import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import type { SpecNode } from "../../spec/text/spec-node.ts";
import { allStages, placeOf } from "../flow/flow-context.ts";
import { type AdviceParts, settingOf } from "./advice-parts.ts";

const mostLines = 20;

/** Warns of prompts with more than twenty lines of instructions, at the text that is longest. */
export function adviseLongPrompt(parts: AdviceParts, diagnostics: Diagnostics): void {
  const shared = parts.document.section("instructions");
  const base = linesOf(shared);
  const told = new Set<SpecNode>();
  for (const stage of allStages(parts.draft.strategy)) {
    if (stage.bounds.generations[1] === 0) continue;
    const added = settingOf(parts, stage, "instructions");
    for (const prompt of promptsOf(parts, stage)) {
      const lines = [base, linesOf(added), linesOf(prompt)];
      const sum = lines.reduce((total, count) => total + count, 0);
      if (sum <= mostLines) continue;
      const [at] = [shared, added, prompt]
        .filter((node) => node !== undefined)
        .toSorted((a, b) => linesOf(b) - linesOf(a));
      if (at === undefined || told.has(at)) continue;
      told.add(at);
      diagnostics.warn(
        "LW-PROMPT-TOO-LONG",
        at ?? placeOf(stage),
        `a prompt of \`${stage.id}\` holds ${sum} lines of instructions${parted(lines)}; beyond ${mostLines}, models begin to leave some out`,
        "keep what decides; move facts into `glossary`, cases into `examples`, and steps into stages of their own",
      );
    }
  }
}

/** The stage's own templates, one a voice; undefined where it has none. */
function promptsOf(parts: AdviceParts, stage: CompiledStage): readonly (SpecNode | undefined)[] {
  const node = settingOf(parts, stage, "prompt");
  if (node?.kind !== "map") return [node];
  return [...node.entries.values()].map(({ value }) => value);
}

function linesOf(node: SpecNode | undefined): number {
  if (node?.kind !== "scalar") return 0;
  return String(node.value)
    .split("\n")
    .filter((line) => line.trim() !== "").length;
}

function parted([base = 0, added = 0, prompt = 0]: readonly number[]): string {
  const parts = [
    [base, "of the spec"],
    [added, "of the stage"],
    [prompt, "of its `prompt`"],
  ].filter(([count]) => count !== 0);
  return parts.length < 2 ? "" : ` (${parts.map((part) => part.join(" ")).join(", ")})`;
}
