import {
  defineStrategy,
  definePrompt,
  generations,
  one,
  type OptionsProblem,
  type SlotDeclaration,
  type StrategyContext,
  type StrategyDefinition,
  sumBounds,
  Type,
} from "@loopwright/core/plugin";
import { reasonedAnswerOf } from "./shared/answer-of.ts";
import { oneOf } from "./shared/one-of.ts";
import { FORCED_FORM, runWithTask } from "./shared/run-with-task.ts";

const options = Type.Object({
  abstraction: Type.Optional(
    oneOf(["principles", "question"], {
      description:
        "What the first call asks for: the principles behind the task, or a more general question that is answered before it. Principles, unless `do` is there to answer the question.",
    }),
  ),
});

/**
 * Takes a step back from the task to the principles or the more general question behind it, and answers with them; choose
 * it where a task is full of detail and rests on a law, a definition or a larger history (Zheng et al. 2023,
 * arXiv:2310.06117).
 *
 * The abstraction is `results.<id>.value`. Deviations: the paper shows worked examples, which here are the `examples` of
 * the stage; where the paper retrieves passages for the general question, here the stage in `do` looks it up.
 */
export const stepBack: StrategyDefinition = defineStrategy({
  id: "step-back",
  description: "Finds the principles or the general question behind the task, then answers.",
  options,
  slots: {
    do: one({
      description:
        "Answers the general question, which is its task; one call where it is left out.",
      optional: true,
      runs: "maybe",
    }),
  },
  voices: ["abstract", "know", "answer"],
  voicesUsed: ({ abstraction }, slots) =>
    abstraction === "question" && !slots.includes("do")
      ? ["abstract", "know", "answer"]
      : ["abstract", "answer"],
  promptNames: { know: ["question"], answer: ["question", "known"] },
  resultValue: () => ABSTRACTION,
  flow: { uses: ["plan", "observations", "lessons"], sets: ["answer"] },
  bounds: ({ abstraction }, { do: child }) => {
    if (child.isAbsent === true) return generations(2, abstraction === "question" ? 3 : 2);
    const { generations: own, toolCalls } = child;
    return sumBounds(generations(2), {
      generations: [0, own[1]],
      toolCalls: [0, toolCalls[1]],
    });
  },
  validate: ({ abstraction }, { slots, outputSchema }): readonly OptionsProblem[] => {
    if (!slots.includes("do")) return [];
    if (abstraction === "principles") return [NOTHING_TO_ANSWER];
    return outputSchema === undefined ? [] : [FORCED_FORM];
  },
  async run(_state, context, { abstraction }) {
    const isQuestion = abstraction === "question" || context.hasSlot("do");
    const said = await abstract(context, isQuestion);
    if (said === "") context.fact("abstraction.blank", { isQuestion });
    // Near a limit the general question stays open: the task comes next.
    const isOpen = isQuestion && said !== "" && context.conclude();
    const question = isQuestion ? said : "";
    const known = isOpen || question === "" ? "" : await know(context, question);
    const found = { question, known: isQuestion ? known : said };
    if (isOpen) context.fact("question.unanswered", { question, reason: "a limit was near" });
    if (found.known !== "") context.fact("principle.found", { question, principle: found.known });
    context.save({ result: { value: found } });
    const parts = [briefOf(context), ...sections(context, found), context.words(ANSWER)];
    const reply = await context.generate({
      voice: "answer",
      prompt: parts.join("\n\n"),
      bind: found,
      answer: true,
      reasoning: "first",
    });
    const short = isOpen ? { result: { cutShort: context.words(LEFT_OPEN) } } : {};
    return { answer: reasonedAnswerOf(reply), ...short };
  },
});

type Context = StrategyContext<{ readonly do: SlotDeclaration }>;

function briefOf(context: Context): string {
  return context.brief(["task", "plan", "evidence", "lessons"]);
}

/** The principles behind the task, or the general question. */
async function abstract(context: Context, isQuestion: boolean): Promise<string> {
  const ask = context.words(isQuestion ? ASK_QUESTION : ASK_PRINCIPLES);
  const prompt = `${briefOf(context)}\n\n${ask}`;
  return (await context.generate({ voice: "abstract", prompt })).text.trim();
}

/** What is known about the general question; empty, and told, where there is no answer. */
async function know(context: Context, question: string): Promise<string> {
  const { text, reason } = await (context.hasSlot("do")
    ? lookUp(context, question)
    : say(context, question));
  if (text === "") context.fact("question.unanswered", { question, reason });
  return text;
}

async function say(context: Context, question: string) {
  const prompt = context.words(KNOW, { question });
  const { text } = await context.generate({ voice: "know", prompt, bind: { question } });
  return { text: text.trim(), reason: "the reply is blank" };
}

async function lookUp(context: Context, question: string) {
  const asked = { key: "question", task: question, isAnswer: false };
  const { answer, reason } = await runWithTask(context, asked);
  return { text: answer?.text.trim() ?? "", reason };
}

/** What was found, each part under its heading; what is blank has none. */
function sections(
  context: Context,
  { question, known }: { readonly question: string; readonly known: string },
): readonly string[] {
  const behind = question === "" ? [] : [context.words(BEHIND, { question })];
  if (known === "") return behind;
  return [...behind, context.words(question === "" ? PRINCIPLES : ABOUT, { known })];
}

const NOTHING_TO_ANSWER: OptionsProblem = {
  option: "do",
  message: "`abstraction: principles` asks no question that `do` could answer",
  repair: "write `abstraction: question`, or delete `do`",
};

const ABSTRACTION = {
  type: "object",
  properties: { question: { type: "string" }, known: { type: "string" } },
};

const ASK_PRINCIPLES = definePrompt({
  en: `Don't do the task yet. Take a step back: which principles, laws, definitions or facts lie behind it?
Write each with its formula or its exact words, and nothing that applies them to this case.`,
  zh: `先不要做这个任务。退一步想：它背后的原理、定律、定义或事实是什么？
写出每一条的公式或准确表述，不要把它们用到这个具体情况上。`,
});

const ASK_QUESTION = definePrompt({
  en: `Don't do the task yet. Take a step back: write one more general question that is easier to answer, and whose answer the task rests on.
Write the question alone; it can be understood without the task.`,
  zh: `先不要做这个任务。退一步想：写出一个更一般、更容易回答的问题，而任务正建立在它的答案之上。
只写这个问题本身；不看任务也要能看懂它。`,
});

const KNOW = definePrompt({
  en: `Answer this question with what you know, in short facts. Say what you are not sure of.
{{question}}`,
  zh: `用你所知道的回答这个问题，写成简短的事实。没有把握的地方要说明。
{{question}}`,
});

const PRINCIPLES = definePrompt({
  en: "## Principles behind the task\n{{known}}",
  zh: "## 任务背后的原理\n{{known}}",
});

const BEHIND = definePrompt({
  en: "## The general question behind the task\n{{question}}",
  zh: "## 任务背后的一般问题\n{{question}}",
});

const ABOUT = definePrompt({
  en: "## What is known about it\n{{known}}",
  zh: "## 关于它已知的内容\n{{known}}",
});

const ANSWER = definePrompt({
  en: `Now do the task step by step, with what stands above. Leave out what does not apply here, and check each conclusion.
Write the reasoning first and the answer after it. Unless another format is asked for, put the whole answer on the last line.`,
  zh: `现在根据上面的内容一步一步完成任务。不适用于这里的内容不要用，并检查每一个结论。
先写推理过程，再写答案。除非要求了其他格式，否则把完整的答案写在最后一行。`,
});

const LEFT_OPEN = definePrompt({
  en: "the general question was left open, because a limit was near",
  zh: "因为接近限制，一般问题没有回答",
});
