import type {
  AnswerDraft,
  OptionsProblem,
  SlotDeclaration,
  StrategyContext,
} from "@loopwright/core/plugin";

/** Told where a slot answers questions of the strategy's own while the spec wants one form for every answer. */
export const FORCED_FORM: OptionsProblem = {
  option: "do",
  severity: "warning",
  message:
    "with a declared `output`, the stages in `do` must answer each question in the form of the whole output",
  repair: "leave `do` out, or fill the `output` in a stage behind this one",
};

/** What a slot is asked to do. */
interface AskedOfSlot {
  readonly key: string;
  readonly task: string;
  /** Whether what it answers is the answer of the stage too. */
  readonly isAnswer: boolean;
}

/** Runs the slot `do` on a task of its own and keeps what its tools found; a reason where it gives no answer. */
export async function runWithTask(
  context: StrategyContext<{ readonly do: SlotDeclaration }>,
  { key, task, isAnswer }: AskedOfSlot,
): Promise<{ readonly answer?: AnswerDraft; readonly reason: string }> {
  const before = context.state.answer.revision;
  const results = await context.fanOut([{ key, slot: "do", task }]);
  const [result] = results;
  const hasAnswered = result?.ok === true && result.state.answer.revision > before;
  context.adopt(results, isAnswer && hasAnswered ? result : undefined);
  if (hasAnswered) return { answer: result.state.answer, reason: "" };
  const reason = result?.reason ?? "it was not reached";
  return { reason: reason === "" ? "`do` left no answer" : reason };
}
