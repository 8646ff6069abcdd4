import {
  definePrompt,
  defineStrategy,
  generations,
  memoryName,
  type RunState,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";

const options = Type.Object({
  into: Type.Optional(
    memoryName({
      description: "The memory that keeps the lesson; left out, it lives for this run alone.",
    }),
  ),
});

/**
 * Learns one general lesson from a run that went wrong or had to be mended, in one call; choose it as the last stage,
 * with `always: true`, or between two attempts (Reflexion, Shinn et al. 2023, arXiv:2303.11366).
 *
 * Deviations: the evaluator is the run's own verdict or failure, never a reference answer; the lesson is data, free of
 * the facts of this case; the attempts are a matter of the spec (`loop`, or the next run).
 */
export const reflect: StrategyDefinition = defineStrategy({
  id: "reflect",
  description: "Learns one general lesson from a run that failed or had to be mended.",
  options,
  flow: {
    uses: ["plan", "observations", "answer", "verdict", "thread"],
    maySet: ["lessons"],
  },
  bounds: () => generations(0, 1),
  async run(state, context, { into }) {
    if (wentWell(state)) return;
    const known = context.brief(["task", "trajectory", "answer", "issues"]);
    const reply = await context.generate({
      prompt: `${known}\n\n${context.words(LEARN)}`,
      schema: LessonDraft,
    });
    if (reply.value.lesson.trim() !== "") await context.remember(into ?? RUN_MEMORY, reply.value);
  },
});

function wentWell(state: RunState): boolean {
  const { outcome, revised } = state.verdict;
  const hasFailed = Object.values(state.results).some(
    (result) => result.outcome === "failed" || result.outcome === "limited",
  );
  return outcome === "pass" && !revised && !hasFailed;
}

/** The name under which core keeps the lessons of a run without a memory. */
const RUN_MEMORY = "run";

const LessonDraft = Type.Object({
  trigger: Type.String({ description: "The kind of task or moment in which the lesson applies." }),
  failurePattern: Type.String({ description: "What went wrong, as a pattern." }),
  lesson: Type.String({ description: "What to do instead; empty when there is nothing to learn." }),
  avoid: Type.String({ description: "What not to do again." }),
});

const LEARN = definePrompt({
  en: `Look back at how the run went and write the one lesson that would have helped most.
- It must help with other tasks of this kind: leave out the names, numbers, dates and ids of this case.
- Say what to do, so that someone can act on it. Blame nothing that the record does not show.
- If there is nothing general to learn, leave all four fields empty.`,
  zh: `回顾这次运行的经过，写出本来最有帮助的一条经验。
- 它必须对其他同类任务有用：不要写本例中的名称、数字、日期和 id。
- 写明应当怎么做，让人可以照着行动。不要归咎于记录中没有显示的事。
- 如果没有可以推广的经验，四个字段都留空。`,
});
