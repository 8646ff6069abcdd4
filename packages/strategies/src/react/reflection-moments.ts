import {
  definePrompt,
  type Language,
  type Observation,
  type Prompt,
  type StageTool,
  type ToolCall,
  type TSchema,
  Type,
  wordsIn,
} from "@loopwright/core/plugin";
import { oneLine } from "./step-trail.ts";

const MOMENTS = ["key-step-done", "tool-error", "contradiction", "before-final-answer"] as const;

/** When a model is asked to stop and think. */
export type ReflectionMoment = (typeof MOMENTS)[number];

/** When and how often. */
export interface ReflectionOptions {
  readonly maxReflections: number;
  readonly reflectAt: readonly ReflectionMoment[];
}

/** Options of a strategy that asks for reflection where one of its tools is for thoughts. */
export const reflectionOptions: {
  readonly maxReflections: TSchema & { readonly static: number };
  readonly reflectAt: TSchema & { readonly static: ReflectionMoment[] };
} = {
  maxReflections: Type.Integer({
    description:
      "The most calls of a reflection tool in the stage; further ones are refused. A tool for thoughts is one where its input has a `moment`.",
    default: 3,
    minimum: 0,
    maximum: 20,
  }),
  reflectAt: Type.Array(Type.Unsafe<ReflectionMoment>({ type: "string", enum: [...MOMENTS] }), {
    description:
      "At which moments such a thought is asked for, where a tool for thoughts is there.",
    default: [...MOMENTS],
    uniqueItems: true,
  }),
};

/** What is looked at to find a moment. */
export interface ReflectionView {
  readonly tools: readonly StageTool[];
  /** What the stage has observed, thoughts included. */
  readonly observations: readonly Observation[];
  /** So many of them were there when a reflection was asked for last: none is asked for twice because of the same one. */
  readonly askedAt?: number;
  /** True while a step of the plan has ended since the last reflection. */
  readonly hasEndedStep?: boolean;
  /** True where the model is about to answer. */
  readonly isAnswering?: boolean;
  /** The steps after this one. */
  readonly stepsLeft: number;
}

/** The moment that has come, or nothing: also where no tool is for reflection, or no further one is allowed. */
export function reflectionMoment(
  view: ReflectionView,
  { maxReflections, reflectAt }: ReflectionOptions,
): ReflectionMoment | undefined {
  const { tools, observations, stepsLeft } = view;
  if (!tools.some(isForReflection) || reflectionCount(observations, tools) >= maxReflections)
    return undefined;
  if (stepsLeft < (view.isAnswering === true ? 2 : 1)) return undefined;
  return MOMENTS.toReversed().find(
    (moment) => reflectAt.includes(moment) && HAS_COME[moment](view),
  );
}

/** How many reflections the observations hold. */
export function reflectionCount(
  observations: readonly Observation[],
  tools: readonly StageTool[],
): number {
  return observations.filter((one) => isReflected(one, tools)).length;
}

/** True for what a reflection came to. */
function isReflected({ tool }: Observation, tools: readonly StageTool[]): boolean {
  return tools.some((one) => one.tool === tool && isForReflection(one));
}

/** A tool for thoughts that is told a moment; one that just takes a thought is the model's own to call, as often as it likes. */
function isForReflection({ isThought, input }: StageTool): boolean {
  const fields = input["properties"];
  return isThought && typeof fields === "object" && fields !== null && "moment" in fields;
}

const HAS_COME: Readonly<Record<ReflectionMoment, (view: ReflectionView) => boolean>> = {
  "key-step-done": ({ hasEndedStep }) => hasEndedStep === true,
  "tool-error": (view) => newResults(view).some(({ ok }) => !ok),
  contradiction: (view) => newResults(view).some((result) => isContradicted(result, view)),
  "before-final-answer": ({ isAnswering, observations, tools }) => {
    const last = observations.at(-1);
    return isAnswering === true && last !== undefined && !isReflected(last, tools);
  },
};

/** What came after the last reflection, and after one was asked for last; a thought is no result. */
function newResults({
  observations,
  tools,
  askedAt = 0,
  isAnswering,
}: ReflectionView): readonly Observation[] {
  if (isAnswering === true) return [];
  const lastReflected = observations.findLastIndex((one) => isReflected(one, tools));
  return observations
    .slice(Math.max(lastReflected + 1, askedAt))
    .filter(({ isThought }) => isThought !== true);
}

/** True where reading the same brought something else before, and nothing was done in between that may explain it. */
function isContradicted(result: Observation, { observations, tools }: ReflectionView): boolean {
  const toolOf = ({ tool }: Observation) => tools.find((one) => one.tool === tool);
  const effectOf = (one: Observation) => toolOf(one)?.effect;
  if (!result.ok || effectOf(result) !== "read" || toolOf(result)?.polls === true) return false;
  const key = keyOf(result);
  const before = observations.slice(0, observations.indexOf(result));
  const changed = before.findLastIndex((one) => one.isThought !== true && effectOf(one) !== "read");
  return before
    .slice(changed + 1)
    .some((one) => one.ok && keyOf(one) === key && one.content !== result.content);
}

function keyOf({ tool, input }: Observation): string {
  return `${tool} ${JSON.stringify(input, sortedKeys)}`;
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** The line that asks for a thought: the tool, the moment, and what is to be thought about. */
export function reflectionRequest(
  view: ReflectionView,
  moment: ReflectionMoment,
  language: Language,
): string {
  const { tools } = view;
  const tool = tools.find(isForReflection)?.name ?? "";
  const failed = newResults(view).findLast(({ ok }) => !ok)?.tool;
  const others = tools.filter((one) => !one.isThought && one.tool !== failed);
  const names = others.map(({ name }) => oneLine(name, 60)).join(", ");
  const asked = wordsIn(language, REQUEST, { tool, moment, why: wordsIn(language, WHY[moment]) });
  if (moment !== "tool-error" || names === "") return asked;
  return `${asked} ${wordsIn(language, OTHERS, { names: oneLine(names, 300) })}`;
}

/** True for a call of a reflection tool. */
export function isReflection(call: ToolCall, tools: readonly StageTool[]): boolean {
  return tools.some(
    (tool) => (tool.name === call.name || tool.tool === call.name) && isForReflection(tool),
  );
}

/** What a call above the most thoughts comes to; it is not executed. */
export function reflectionRefusal(
  { maxReflections }: Pick<ReflectionOptions, "maxReflections">,
  language: Language,
): string {
  return wordsIn(language, REFUSAL, { max: maxReflections });
}

const REQUEST = definePrompt({
  en: 'Before anything else, call {{tool}} with the moment "{{moment}}": {{why}}',
  zh: "请先调用 {{tool}}，moment 填 “{{moment}}”：{{why}}",
});
const WHY: Readonly<Record<ReflectionMoment, Prompt>> = {
  "key-step-done": definePrompt({
    en: "a step of the plan has ended; does the rest of the plan still stand?",
    zh: "计划中的一步已结束；其余计划是否仍然成立？",
  }),
  "tool-error": definePrompt({
    en: "a call failed; why, and what other way is there?",
    zh: "有一次调用失败了；原因是什么，还有什么别的办法？",
  }),
  contradiction: definePrompt({
    en: "the same question brought different results; which of them holds, and what would settle it?",
    zh: "同样的查询得到了不同的结果；哪一个可信，怎样才能确定？",
  }),
  "before-final-answer": definePrompt({
    en: "is every claim of your answer covered by a result, and does every hard constraint hold? Then answer.",
    zh: "答案中的每个论断是否都有结果支持，每条硬性约束是否都已满足？然后再作答。",
  }),
};
const OTHERS = definePrompt({ en: "Other tools: {{names}}.", zh: "其他工具：{{names}}。" });
const REFUSAL = definePrompt({
  en: "not executed: you have stopped to think {{max}} times, which is the most; act on what you know, or answer",
  zh: "未执行：你已经停下来思考了 {{max}} 次，达到上限；请根据已知内容行动或作答",
});
