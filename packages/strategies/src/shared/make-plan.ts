import {
  type Bounds,
  generations,
  type Plan,
  type Slots,
  type StrategyContext,
  type ToolDescription,
  type TSchema,
  Type,
} from "@loopwright/core/plugin";
import { conversationOf, sayTo } from "./conversation.ts";
import { faultsOf, planDraftOf, toPlan } from "./plan-draft.ts";

/** The option of every strategy that plans. */
export const maxPlanSteps: TSchema & { readonly static: number } = Type.Integer({
  description: "The most steps that a plan may have.",
  default: 8,
  minimum: 1,
  maximum: 50,
});

/** What one plan costs. */
export const PLAN_BOUNDS: Bounds = generations(1, 2);

/**
 * Makes a plan in one call, or two when the first draft has no step, too many, or steps that don't fit together.
 *
 * The second call admits 1 to `max` steps only, so a plan that is still too long fails there.
 */
export async function makePlan<S extends Slots>(
  context: StrategyContext<S>,
  max: number,
  voice?: string,
): Promise<Plan> {
  const speaker = voice === undefined ? {} : { voice };
  const known = context.brief(["task", "plan", "evidence", "issues", "lessons"]);
  const prompt = `${known}\n\n${toolLines(context.tools)}${planningRules(max)}`;
  const first = await context.generate({ ...speaker, prompt, schema: PlanDraft });
  const faults = faultsOf(first.value, max);
  if (faults.length === 0) return toPlan(first.value);
  const messages = sayTo(conversationOf(first), mend(faults, max));
  const schema = planDraftOf({ minItems: 1, maxItems: max });
  const second = await context.generate({ ...speaker, messages, schema });
  return toPlan(second.value);
}

function toolLines(tools: readonly ToolDescription[]): string {
  if (tools.length === 0) return "";
  const lines = tools.map((tool) => `- ${tool.name}: ${firstSentence(tool.description)}`);
  return `Tools for the steps that need facts or effects:\n${lines.join("\n")}\n\n`;
}

function firstSentence(text: string): string {
  return text.trim().split(/(?<=[.!?。！？])\s|\n/u, 1)[0] ?? "";
}

function planningRules(max: number): string {
  return `Plan the task; do not carry it out.
- Write at most ${max} steps, in the order of the work, and no more than the task needs.
- Take the goal and the constraints from what stands above; add no facts, names or numbers of your own.
- Name conditions that cannot all be met as conflicts; do not settle them yourself.
- If a plan stands above, write the plan that replaces it and settles the open issues.`;
}

function mend(faults: readonly string[], max: number): string {
  return `${faults.map((fault) => `- ${fault}`).join("\n")}
Write the whole plan again, with at least one and at most ${max} steps. Join steps that belong together; drop no constraint.`;
}

const PlanDraft = planDraftOf();
