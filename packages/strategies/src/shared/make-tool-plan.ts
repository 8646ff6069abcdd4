import {
  type Bounds,
  definePrompt,
  generations,
  type JsonObject,
  ProviderError,
  type Slots,
  type StageTool,
  type StrategyContext,
} from "@loopwright/core/plugin";
import { conversationOf, sayTo } from "./conversation.ts";
import { levelsOf, plainSteps, referencesOf, toolPlanOf, type ToolStep } from "./tool-plan.ts";

/** What one plan of tool calls costs. */
export const TOOL_PLAN_BOUNDS: Bounds = generations(1, 2);

/** How a plan of tool calls is asked for, and what it must keep to. */
interface ToolPlanRequest {
  readonly voice: string;
  readonly prompt: string;
  /** What a prompt of the spec's own sees. */
  readonly bind: JsonObject;
  readonly max: number;
  /** Ids of steps that are done already; they may be named, and not used again. */
  readonly earlier?: readonly string[];
  /** Further faults of the method's own. */
  readonly faultsOf?: (steps: readonly ToolStep[]) => readonly string[];
}

/**
 * Makes a plan of tool calls in one call, or two where the first has none, too many, names steps that are not there, or
 * goes round in a circle; a second plan with such faults is an error.
 */
export async function makeToolPlan<S extends Slots>(
  context: StrategyContext<S>,
  request: ToolPlanRequest,
): Promise<readonly ToolStep[]> {
  const { voice, prompt, bind, max } = request;
  const faultsIn = (steps: readonly ToolStep[]) => [
    ...faultsOfSteps(steps, request, context),
    ...(request.faultsOf?.(steps) ?? []),
  ];
  const first = await context.generate({ voice, prompt, bind, schema: ANY_PLAN });
  const steps = plainSteps(first.value.steps);
  const faults = faultsIn(steps);
  if (faults.length === 0) return tell(context, steps);
  const list = faults.map((fault) => `- ${fault}`).join("\n");
  const messages = sayTo(conversationOf(first), context.words(MEND, { list, max }));
  const schema = toolPlanOf({ minItems: 1, maxItems: max });
  const second = plainSteps((await context.generate({ voice, messages, schema })).value.steps);
  const left = faultsIn(second);
  if (left.length === 0) return tell(context, second);
  throw new ProviderError(
    "strategy-failed",
    `the plan of tool calls can't be carried out, also after it was sent back once: ${left.join(" ")} Use a stronger model for the voice \`${voice}\`, or fewer steps`,
  );
}

/** The log keeps the graph of the calls. */
function tell<S extends Slots>(
  context: StrategyContext<S>,
  steps: readonly ToolStep[],
): readonly ToolStep[] {
  context.fact("tool-plan.made", {
    steps: steps.map((step) => ({
      id: step.id,
      plan: step.plan,
      tool: step.tool,
      dependsOn: referencesOf(step),
    })),
  });
  return steps;
}

function faultsOfSteps<S extends Slots>(
  steps: readonly ToolStep[],
  { max, earlier = [] }: ToolPlanRequest,
  context: StrategyContext<S>,
): readonly string[] {
  const faults: string[] = [];
  const known = new Set([...earlier, ...steps.map(({ id }) => id)]);
  const used = new Set(earlier);
  if (steps.length === 0) faults.push(context.words(NO_STEP));
  if (steps.length > max) faults.push(context.words(TOO_MANY, { count: steps.length, max }));
  for (const step of steps) {
    if (!/^E\d+$/.test(step.id)) faults.push(context.words(BAD_ID, { id: step.id }));
    if (used.has(step.id)) faults.push(context.words(TWICE, { id: step.id }));
    used.add(step.id);
    const missing = referencesOf(step).filter((id) => !known.has(id));
    for (const other of missing) faults.push(context.words(MISSING, { id: step.id, other }));
  }
  if (faults.length > 0) return faults;
  const reached = new Set(levelsOf(steps, earlier).flat());
  const stuck = steps.filter((step) => !reached.has(step)).map(({ id }) => id);
  return stuck.length === 0 ? [] : [context.words(CIRCLE, { list: stuck.join(", ") })];
}

/** The tools that can bring a fact: a thought is none. */
export function factTools(context: { readonly tools: readonly StageTool[] }): readonly StageTool[] {
  return context.tools.filter(({ isThought }) => !isThought);
}

/** Tools as lines for a planner, each with what it takes. */
export function toolManual(tools: readonly StageTool[]): string {
  const lines = tools.map(
    ({ name, description, input }) =>
      `- ${name}: ${description.trim()}\n  ${JSON.stringify(input)}`,
  );
  return lines.length === 0 ? "-" : lines.join("\n");
}

const ANY_PLAN = toolPlanOf();

const NO_STEP = definePrompt({ en: "The plan has no step.", zh: "计划里没有任何步骤。" });

const TOO_MANY = definePrompt({
  en: "The plan has {{count}} steps; at most {{max}} are allowed.",
  zh: "计划有 {{count}} 个步骤，最多只允许 {{max}} 个。",
});

const BAD_ID = definePrompt({
  en: 'The id "{{id}}" is not of the form E1, E2, E3.',
  zh: "编号“{{id}}”不是 E1、E2、E3 这样的形式。",
});

const TWICE = definePrompt({
  en: "The id {{id}} is used already.",
  zh: "编号 {{id}} 已经用过。",
});

const MISSING = definePrompt({
  en: "{{id}} names #{{other}}, and there is no such step.",
  zh: "{{id}} 引用了 #{{other}}，但没有这个步骤。",
});

const CIRCLE = definePrompt({
  en: "These steps wait for each other in a circle, or for such steps: {{list}}.",
  zh: "以下步骤互相等待，或依赖这样的步骤，形成了循环：{{list}}。",
});

const MEND = definePrompt({
  en: `The plan can't be carried out:
{{list}}
Write the whole plan again, with at least one and at most {{max}} steps.`,
  zh: `这个计划无法执行：
{{list}}
请重新写出完整的计划，至少一步，最多 {{max}} 步。`,
});
