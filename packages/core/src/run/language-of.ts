import { type Language, type Prompt, type PromptValues, wordsIn } from "../contracts/prompt.ts";
import type { Frame } from "./run-scope.ts";

/** The language in which core speaks to the models of a frame: that of the spec the frame belongs to. */
export function languageOf({ run }: Pick<Frame, "run">): Language {
  return run.linked.program.language ?? "en";
}

/** The words of a prompt in the language of a frame. */
export function say<P extends string>(
  frame: Pick<Frame, "run">,
  prompt: Prompt<P>,
  ...values: PromptValues<P>
): string {
  return wordsIn(languageOf(frame), prompt, ...values);
}
