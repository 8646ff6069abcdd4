import {
  type AnswerDraft,
  defineStrategy,
  definePrompt,
  generations,
  one,
  type OptionsProblem,
  ProviderError,
  type SlotDeclaration,
  type StrategyContext,
  type StrategyDefinition,
  sumBounds,
  timesBounds,
  Type,
} from "@loopwright/core/plugin";
import { reasonedAnswerOf } from "./shared/answer-of.ts";
import { FORCED_FORM, runWithTask } from "./shared/run-with-task.ts";
import { questionsOf, type Solved, solvedLines } from "./shared/subquestions.ts";

const options = Type.Object({
  maxSubquestions: Type.Integer({
    description: "The most questions that are answered, the one of the task among them.",
    default: 8,
    minimum: 2,
    maximum: 30,
  }),
});

/**
 * Breaks the task into easier questions and answers them in order, each with the answers before it; choose it for tasks
 * whose parts build on each other, and that are harder than the examples one could give (Zhou et al. 2022,
 * arXiv:2205.10625).
 *
 * The pairs of question and answer are the list `results.<id>.value`. Deviations: the paper shows worked examples of both
 * stages, which here are the `examples` of the stage; the task itself always is the last question, and is solved step by
 * step where it has no parts; questions above the maximum are cut and told; `do` may answer the questions.
 */
export const leastToMost: StrategyDefinition = defineStrategy({
  id: "least-to-most",
  description: "Breaks the task into easier questions and answers them in order.",
  options,
  slots: {
    do: one({
      description: "Answers each question, which is its task; one call each where it is left out.",
      optional: true,
    }),
  },
  voices: ["decompose", "solve"],
  voicesUsed: (_options, slots) => (slots.includes("do") ? ["decompose"] : ["decompose", "solve"]),
  promptNames: { decompose: ["max"], solve: ["question", "solved"] },
  resultValue: ({ maxSubquestions }) => pairsUpTo(maxSubquestions),
  flow: { uses: ["plan", "observations", "lessons"], sets: ["answer"] },
  bounds: ({ maxSubquestions }, children) =>
    sumBounds(
      generations(1),
      timesBounds(children.do.isAbsent === true ? generations(1) : children.do, 1, maxSubquestions),
    ),
  validate: (_options, { slots, outputSchema }): readonly OptionsProblem[] =>
    slots.includes("do") && outputSchema !== undefined ? [FORCED_FORM] : [],
  async run(state, context, { maxSubquestions }) {
    const questions = await decompose(context, state.task.text, maxSubquestions);
    context.fact("subquestions.planned", { questions });
    const last = questions.length - 1;
    const solved: Solved[] = [];
    for (const [index, question] of questions.entries()) {
      const isLast = index === last;
      // Near a limit the question of the task comes next, with what is known.
      if (!isLast && context.conclude()) continue;
      context.step(index + 1, questions.length);
      const skipped = isLast ? last - solved.length : 0;
      if (skipped > 0) context.fact("items.left-out", { count: skipped });
      const answer = context.hasSlot("do")
        ? await solveWithSlot(context, { question, solved, isLast })
        : await solve(context, { question, solved, isLast });
      solved.push({ question, answer: answer.text });
      const value = solved.map((pair) => ({ ...pair }));
      const short = skipped > 0 ? { cutShort: context.words(SKIPPED, { count: skipped }) } : {};
      // An answer of `do` stands already.
      const given = isLast && !context.hasSlot("do") ? { answer } : {};
      context.save({ ...given, result: { value, ...short } });
    }
  },
});

type Context = StrategyContext<{ readonly do: SlotDeclaration }>;

/** The questions in order, the last of them that of the task. */
async function decompose(context: Context, task: string, max: number): Promise<readonly string[]> {
  const known = context.brief(["task", "plan", "evidence", "lessons"]);
  const { value } = await context.generate({
    voice: "decompose",
    prompt: `${known}\n\n${context.words(DECOMPOSE, { max })}`,
    bind: { max },
    schema: Subquestions,
  });
  const { questions, cut } = questionsOf(value.subquestions, task, max);
  if (cut > 0)
    context.fact("items.left-out", { count: cut, maxItems: max, option: "maxSubquestions" });
  return questions;
}

/** One question, what is known from those before it, and whether it is that of the task. */
interface Asked {
  readonly question: string;
  readonly solved: readonly Solved[];
  readonly isLast: boolean;
}

async function solve(context: Context, { question, solved, isLast }: Asked): Promise<AnswerDraft> {
  const known = context.brief(["task", "plan", "evidence", "lessons"]);
  const lines = solvedLines(context.language, solved);
  const ask = isLast ? context.words(FINISH) : context.words(SOLVE, { question });
  const request = {
    voice: "solve",
    prompt: [known, lines, ask].filter((part) => part !== "").join("\n\n"),
    bind: { question, solved: solved.map((pair) => ({ ...pair })) },
  };
  if (!isLast) return { text: (await context.generate(request)).text.trim() };
  return reasonedAnswerOf(await context.generate({ ...request, answer: true, reasoning: "first" }));
}

/** Lets `do` answer a question; what it can't answer is said to the questions after it, and ends the stage at the last. */
async function solveWithSlot(
  context: Context,
  { question, solved, isLast }: Asked,
): Promise<AnswerDraft> {
  const { text } = context.state.task;
  const lines = solvedLines(context.language, solved);
  const asked = isLast ? text : context.words(PART_OF, { question, task: text });
  const task = lines === "" ? asked : `${asked}\n\n${lines}`;
  const key = `question:${solved.length + 1}`;
  const { answer, reason } = await runWithTask(context, { key, task, isAnswer: isLast });
  if (answer !== undefined) return answer;
  if (isLast) throw new ProviderError("strategy-failed", `the last question: ${reason}`);
  return { text: context.words(UNSOLVED, { reason }) };
}

function pairsUpTo(maxItems: number) {
  const pair = { question: { type: "string" }, answer: { type: "string" } };
  return { type: "array", maxItems, items: { type: "object", properties: pair } };
}

const Subquestions = Type.Object({
  subquestions: Type.Array(Type.String(), {
    description: "easier questions, in the order in which they are to be answered",
  }),
});

const DECOMPOSE = definePrompt({
  en: `Don't do the task yet. To do it, which easier questions have to be answered first?
- Write them in the order in which they build on each other, the question of the task as the last; at most {{max}}.
- Each question can be understood by itself and is easier than the task.
- A task that has no easier parts needs no questions: leave the list empty.`,
  zh: `先不要做这个任务。要完成它，需要先回答哪些更简单的问题？
- 按依赖的先后顺序写出来，任务本身的问题放在最后；最多 {{max}} 个。
- 每个问题都能单独看懂，并且比任务本身更简单。
- 如果任务没有更简单的部分，就不需要问题：列表留空。`,
});

const SOLVE = definePrompt({
  en: `Answer only this question now, step by step, with the answers above where they help:
{{question}}`,
  zh: `现在只回答下面这个问题，一步一步来，需要时使用上面已有的答案：
{{question}}`,
});

const FINISH = definePrompt({
  en: `Now do the task itself, step by step, with the answers above where there are any.
Write the reasoning first and the answer after it. Unless another format is asked for, put the whole answer on the last line.`,
  zh: `现在完成任务本身，一步一步来；上面如果已有答案，请使用它们。
先写推理过程，再写答案。除非要求了其他格式，否则把完整的答案写在最后一行。`,
});

const PART_OF = definePrompt({
  en: `{{question}}

Answer this question alone. It is one part of a larger task, which is not to be done here: {{task}}`,
  zh: `{{question}}

只回答这个问题。它是一个更大任务的一部分，那个任务不在这里完成：{{task}}`,
});

const UNSOLVED = definePrompt({ en: "not solved: {{reason}}", zh: "未解决：{{reason}}" });

const SKIPPED = definePrompt({
  en: "left questions unanswered, because a limit was near: {{count}}",
  zh: "因为接近限制，有 {{count}} 个问题没有回答",
});
