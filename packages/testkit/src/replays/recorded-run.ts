import type { JsonObject } from "@loopwright/core";

/** One step of a published run: the call that the model made, and what it was told. */
export interface RecordedStep {
  readonly tool: string;
  readonly input: JsonObject;
  readonly observation: string;
  /** The model's own words beside the call. */
  readonly thought?: string;
  /** The id of the call in the log. */
  readonly id?: string;
}

/** A published run as a list of calls with their results. */
export interface RecordedRun {
  readonly name: string;
  readonly task: string;
  readonly steps: readonly RecordedStep[];
  /** What the model says where the log has no further call, or where no call is taken any more. */
  readonly answer: string;
}

function stepKey({ tool, input, observation }: RecordedStep): string {
  return JSON.stringify([tool, input, observation]);
}

/** The places of the steps that repeat an earlier step of the same run with the same observation; thoughts are none. */
export function repeatsIn(
  { steps }: RecordedRun,
  isThought: (step: RecordedStep) => boolean,
): readonly number[] {
  const seen = new Set<string>();
  return steps.flatMap((step, index) => {
    if (isThought(step)) return [];
    const key = stepKey(step);
    if (seen.has(key)) return [index];
    seen.add(key);
    return [];
  });
}
