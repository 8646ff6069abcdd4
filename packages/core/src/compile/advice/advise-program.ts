import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import type { AdviceParts } from "./advice-parts.ts";
import { adviseAlikeSamples } from "./alike-samples.ts";
import { adviseExampleLeak } from "./example-leak.ts";
import { adviseHotSchema } from "./hot-schema.ts";
import { adviseLongPrompt } from "./long-prompt.ts";
import { adviseMissingTools } from "./missing-tools.ts";
import { adviseNoJudge } from "./no-judge.ts";
import { adviseOnceSampled } from "./once-sampled.ts";
import { advisePromptInput } from "./prompt-input.ts";
import { adviseSelfJudge } from "./self-judge.ts";
import { adviseThinkingModel } from "./thinking-model.ts";
import { adviseToolManual } from "./tool-manual.ts";

/** Warns of what is allowed and yet known to go wrong; where a stage is not known whole, only of what others show by themselves. */
export function adviseProgram(
  parts: AdviceParts,
  unsound: ReadonlySet<string>,
  diagnostics: Diagnostics,
): void {
  adviseAlikeSamples(parts, unsound, diagnostics);
  if (unsound.size > 0) return;
  const hasBrokenTools = diagnostics.items.some(
    ({ severity, path }) => severity === "error" && /^tools(\W|$)/.test(path),
  );
  for (const advise of ofStages) advise(parts, diagnostics);
  // A tool that could not be read is not there, and has no description.
  if (!hasBrokenTools) for (const advise of ofTools) advise(parts, diagnostics);
}

type Advise = (parts: AdviceParts, diagnostics: Diagnostics) => void;

const ofStages: readonly Advise[] = [
  adviseHotSchema,
  adviseThinkingModel,
  adviseSelfJudge,
  adviseNoJudge,
  adviseExampleLeak,
  adviseLongPrompt,
  advisePromptInput,
];

const ofTools: readonly Advise[] = [adviseMissingTools, adviseOnceSampled, adviseToolManual];
