import {
  definePrompt,
  type JsonObject,
  type ReplanRequest,
  type Slots,
  type StageTool,
  type StrategyContext,
} from "@loopwright/core/plugin";
import { likelyConflicts } from "./conflicts.ts";
import { oneLine } from "./one-line.ts";
import type { PlanRoom } from "./plan-draft.ts";
import type { PlannedConflict } from "./planned-conflict.ts";

/** The voices of a strategy that plans, and what their prompts see. */
export const planPromptNames: Readonly<Record<string, readonly string[]>> = {
  plan: ["planningTools", "likelyConflicts", "replies", "maxSteps"],
  replan: ["planningTools", "likelyConflicts", "replies", "maxSteps", "reason"],
};

/** What a plan is made for. */
export interface Planning {
  readonly max: number;
  /** Where a plan stands and a stage asked for another one. */
  readonly request?: ReplanRequest;
  /** The plans that failed, as `objectivesOf` has them. */
  readonly failed?: readonly string[];
  /** What people decided about the conflicts of the plan that stands, in words, and which ones these are. */
  readonly decisions?: readonly string[];
  readonly decided?: readonly PlannedConflict[];
}

/** What a planner is told, and what a prompt of the spec sees beside the state; `max` is the most steps of the draft. */
export function planPrompt<S extends Slots>(
  context: StrategyContext<S>,
  { max, request, decisions = [] }: Planning,
  { done }: PlanRoom,
): { readonly prompt: string; readonly bind: JsonObject } {
  const known = context.brief(["task", "plan", "evidence", "issues", "lessons"]);
  const planningTools = context.tools.map(toolLine);
  const likely = likelyConflicts(context.state.task, context.language);
  const replies = [...repliesIn(context), ...decisions.map((text) => `- ${text}`)];
  const bind = { planningTools, likelyConflicts: likely, replies, maxSteps: max };
  const rules = context.words(RULES, { max });
  // A reason holds what models and tools said: it can't pass for a section or a rule of its own.
  const reason = oneLine(request?.reason ?? "", maxReasonChars);
  const replace = done.length === 0 ? REPLACE : REPLACE_OPEN;
  const last =
    request === undefined
      ? `${rules}\n${context.words(replace)}`
      : `${rules}\n\n${context.words(AGAIN, { reason })}`;
  const parts = [
    known,
    planningTools.length === 0 ? "" : `${context.words(TOOLS)}\n${planningTools.join("\n")}`,
    replies.length === 0 ? "" : `${context.words(REPLIES)}\n${replies.join("\n")}`,
    likely.length === 0 ? "" : `${context.words(LIKELY)}\n${likely.join("\n")}`,
    last,
  ];
  const prompt = parts.filter((part) => part !== "").join("\n\n");
  return { prompt, bind: request === undefined ? bind : { ...bind, reason } };
}

/** What of a reason a planner is told. */
const maxReasonChars = 2000;

function toolLine({ name, description }: StageTool): string {
  const [firstSentence = ""] = description.trim().split(/(?<=[.!?])\s|(?<=[。！？])|\n/u, 1);
  return `- ${name}: ${firstSentence}`;
}

/** What people replied to the questions of earlier stages. */
export function repliesIn<S extends Slots>({ state }: StrategyContext<S>): readonly string[] {
  return Object.entries(state.results)
    .filter(([, { answered, reply }]) => answered && reply.trim() !== "")
    .map(([id, { reply }]) => `- ${id}: ${reply}`);
}

const TOOLS = definePrompt({
  en: "Tools for the steps that need facts or effects:",
  zh: "需要事实或产生作用的步骤可用的工具：",
});

const REPLIES = definePrompt({
  en: "What people replied; it settles what it speaks of:",
  zh: "人的答复，所涉事项以此为准：",
});

const LIKELY = definePrompt({
  en: "Wishes that often stand against each other; look at each, and leave out those that do not here:",
  zh: "以下愿望常常相互冲突；请逐条考虑，在此处并不冲突的就略去：",
});

const AGAIN = definePrompt({
  en: `The plan above can't be carried out as it stands: {{reason}}
- Write only the steps that are still to be done; those that are done stay as they are and are not repeated. A step may depend on one that is done, by its id.
- Give each step an id that no step above has, and another way where the old one failed.`,
  zh: `上面的计划无法照原样执行：{{reason}}
- 只写仍需完成的步骤；已完成的步骤保持不变，不要重复。步骤可以用 id 依赖已完成的步骤。
- 每个步骤使用上面没有出现过的 id；原来的做法失败之处，换一种做法。`,
});

const RULES = definePrompt({
  en: `Plan the task; do not carry it out.
- Write at most {{max}} steps, in the order of the work, and no more than the task needs.
- Take the goal and the constraints from what stands above, the hard constraints word for word; add no facts, names or numbers of your own.
- Name wishes that cannot all be met as conflicts. Settle each in this order: by a preference that the task, the inputs, the instructions or a lesson states; by relaxing a soft wish; by a compromise; else ask the person. Say what each side costs. A hard constraint gives way only to a stated preference or to the person.`,
  zh: `为任务制定计划，不要执行。
- 最多写 {{max}} 个步骤，按工作顺序排列，不超过任务所需。
- 目标和约束取自上文，硬性约束逐字照抄；不要自行添加事实、名称或数字。
- 无法同时满足的愿望写为冲突。按以下顺序处理：先依据任务、输入、指示或经验中说明的偏好；再放宽软性愿望；再折中；否则询问人。写明每一方的代价。硬性约束只能因已说明的偏好或由人决定而让步。`,
});

const REPLACE = definePrompt({
  en: "- If a plan stands above, write the plan that replaces it and settles the open issues.",
  zh: "- 如果上面已有计划，写出取代它并解决未决问题的计划。",
});

const REPLACE_OPEN = definePrompt({
  en: "- Write the plan that replaces what is still open above and settles the open issues. Steps that are done stay as they are and are not repeated; a step may depend on one by its id. Where one has to be done again, say in the objective what has to come out differently.",
  zh: "- 写出取代上面未完成部分并解决未决问题的计划。已完成的步骤保持不变，不要重复；步骤可以用 id 依赖它们。如果某一步必须重做，请在目标中写明结果应当有什么不同。",
});
