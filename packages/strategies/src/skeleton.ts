import {
  type AnswerDraft,
  defineStrategy,
  definePrompt,
  ProviderError,
  type StateChange,
  type StrategyContext,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";
import { answerOf } from "./shared/answer-of.ts";
import { joinPoints, type Point, pointsOf } from "./shared/points.ts";

const options = Type.Object({
  maxPoints: Type.Integer({
    description: "The most points that are written out.",
    default: 10,
    minimum: 3,
    maximum: 30,
  }),
  maxParallel: Type.Integer({
    description: "The most points that are written at one time.",
    default: 4,
    minimum: 1,
    maximum: 32,
  }),
  router: Type.Boolean({
    description:
      "Asks first whether the answer falls into independent points, and answers directly where it does not.",
    default: false,
  }),
});

/**
 * Writes the points of an answer first and then all of them at the same time, to answer sooner; choose it for long answers
 * whose points stand on their own: advice, comparisons, general knowledge. Never choose it where a part needs the one before
 * it: calculations, proofs, code, stories (Ning et al. 2023, arXiv:2307.15337).
 *
 * The points are the list `results.<id>.value`. Deviations: a skeleton without points leads to a direct answer, where the
 * paper's program returns nothing; chat endpoints are asked to go on with a point instead of being forced to; a declared
 * output is filled in by one more call, from the joined text.
 */
export const skeleton: StrategyDefinition = defineStrategy({
  id: "skeleton",
  description: "Writes the points of an answer, then all of them in parallel, and joins them.",
  options,
  voices: ["route", "skeleton", "expand", "answer"],
  voicesUsed: ({ router }) => [...(router ? ["route"] : []), "skeleton", "expand", "answer"],
  promptNames: { skeleton: ["max"], expand: ["points", "number", "point"], answer: ["draft"] },
  resultValue: ({ maxPoints }) => writtenUpTo(maxPoints),
  flow: { uses: ["plan", "observations", "lessons"], sets: ["answer"] },
  bounds: ({ maxPoints, router }) => ({
    generations: [2, (router ? 1 : 0) + 1 + maxPoints + 1],
    toolCalls: [0, 0],
  }),
  async run(_state, context, { maxPoints, maxParallel, router }) {
    if (router && !(await hasIndependentPoints(context))) return { answer: await answer(context) };
    const { points, cut } = await outline(context, maxPoints);
    if (cut > 0)
      context.fact("items.left-out", { count: cut, maxItems: maxPoints, option: "maxPoints" });
    if (points.length === 0) return { answer: await answer(context) };
    context.fact("skeleton.made", { points: points.map(({ point }) => point) });
    if (context.conclude()) return answerEarly(context, points.length);
    const texts = await expand(context, points, maxParallel);
    const written = points.map((point, index) => ({ ...point, text: texts[index] ?? "" }));
    context.save({ result: { value: written.map((one) => ({ ...one })) } });
    return { answer: await joined(context, joinPoints(context.language, written)) };
  },
});

/** Whether the task can be answered in points that need nothing of each other. */
async function hasIndependentPoints(context: StrategyContext): Promise<boolean> {
  const prompt = `${context.brief(["task"])}\n\n${context.words(ROUTE)}`;
  const { value } = await context.generate({ voice: "route", prompt, schema: Route });
  return value.independent;
}

async function outline(context: StrategyContext, max: number) {
  const known = context.brief(["task", "plan", "evidence", "lessons"]);
  const prompt = `${known}\n\n${context.words(SKELETON, { max })}`;
  const reply = await context.generate({ voice: "skeleton", prompt, bind: { max } });
  return pointsOf(reply.text, max);
}

/** Writes every point out; one that fails is left as it stands in the skeleton, and told. */
async function expand(
  context: StrategyContext,
  points: readonly Point[],
  maxParallel: number,
): Promise<readonly string[]> {
  const list = points.map(({ number, point }) => `${number}. ${point}`).join("\n");
  const texts: string[] = points.map(() => "");
  const branches = points.map(({ number, point }, index) => ({
    key: `point:${number}`,
    run: async (branch: StrategyContext) => {
      const words = branch.words(EXPAND, { list, number, point });
      const known = branch.brief(["task", "plan", "evidence", "lessons"]);
      const bind = { points: points.map((one) => ({ ...one })), number, point };
      const prompt = `${known}\n\n${words}`;
      texts[index] = (await branch.generate({ voice: "expand", prompt, bind })).text;
    },
  }));
  const results = await context.fanOut(branches, { maxParallel });
  const failed = results.filter(({ ok }) => !ok).map(({ key, reason }) => ({ key, reason }));
  if (failed.length > 0) context.fact("items.failed", { failed, of: points.length });
  if (failed.length === points.length)
    throw new ProviderError(
      "strategy-failed",
      `none of ${points.length} points could be written: ${failed[0]?.reason ?? ""}`,
    );
  return texts;
}

/** Near a limit no point is written out, which is told: one call answers. */
async function answerEarly(context: StrategyContext, count: number): Promise<StateChange> {
  context.fact("items.left-out", { count });
  const cutShort = context.words(LEFT_OUT, { count });
  return { answer: await answer(context), result: { cutShort } };
}

/** The joined text as the answer, with what it cites; where an output is declared it is a draft. */
async function joined(context: StrategyContext, text: string): Promise<AnswerDraft> {
  if (context.answerForm() !== "") return answer(context, text);
  const fit = await context.fitAnswer(text);
  return fit.ok ? fit.value : answer(context, text);
}

/** Answers in one call: from nothing, or in the form of the output from what is written. */
async function answer(context: StrategyContext, draft = ""): Promise<AnswerDraft> {
  const known = context.brief(["task", "plan", "evidence", "lessons"]);
  const words = draft === "" ? context.words(ANSWER) : context.words(FILL_IN, { draft });
  const prompt = `${known}\n\n${words}`;
  return answerOf(
    await context.generate({ voice: "answer", prompt, bind: { draft }, answer: true }),
  );
}

function writtenUpTo(maxItems: number) {
  const text = { type: "string" };
  const properties = { number: { type: "integer" }, point: text, text };
  return { type: "array", maxItems, items: { type: "object", properties } };
}

const Route = Type.Object({
  independent: Type.Boolean({
    description:
      "true when several points that need nothing of each other, in any order, answer the task",
  }),
});

const ROUTE = definePrompt({
  en: `How is the task best answered? Say whether several short points do, each of which can be written without the others.
A task that needs reasoning step by step, a calculation, code, a proof, a story or a very short answer does not.`,
  zh: `这个任务怎样回答最好？请判断：是否可以用几个简短的要点来回答，并且每个要点都可以独立写出。
需要逐步推理、计算、代码、证明、故事，或者答案很短的任务，都不适合。`,
});

const SKELETON = definePrompt({
  en: `Write only the skeleton of the answer, not the answer: a numbered list of 3 to {{max}} points, each of 3 to 5 words, one a line, like "1. Point". Write nothing else.`,
  zh: `只写答案的提纲，不要写答案本身：一个编号列表，3 到 {{max}} 个要点，每个要点不超过 10 个字，每行一个，例如“1. 要点”。不要写其他内容。`,
});

const EXPAND = definePrompt({
  en: `The skeleton of the answer is:
{{list}}

Write out point {{number}} and only this one, in one or two short sentences, without its number and without an introduction; the other points are written elsewhere. Point {{number}}: {{point}}`,
  zh: `答案的提纲是：
{{list}}

只展开第 {{number}} 点，用一到两个简短的句子，不要写编号，也不要写开场白；其他要点在别处写。第 {{number}} 点：{{point}}`,
});

const ANSWER = definePrompt({
  en: "Do the task. Give the answer itself, without an introduction.",
  zh: "完成任务。直接给出答案，不要写开场白。",
});

const FILL_IN = definePrompt({
  en: `## What is written\n{{draft}}\n\nGive the answer in the form that is asked for, from what is written above; add nothing to it.`,
  zh: `## 已经写好的内容\n{{draft}}\n\n根据上面写好的内容，按要求的格式给出答案；不要添加任何内容。`,
});

const LEFT_OUT = definePrompt({
  en: "none of {{count}} points was written out, because a limit was near",
  zh: "因为接近限制，{{count}} 个要点都没有展开",
});
