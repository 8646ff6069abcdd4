import {
  type AssistantMessage,
  type Bounds,
  definePrompt,
  generations,
  type JsonObject,
  type Message,
  ProviderError,
  type Reply,
  type Result,
  type Slots,
  type StageTool,
  type StrategyContext,
} from "@loopwright/core/plugin";
import { conversationOf, sayTo } from "./conversation.ts";
import { faultsOfSteps } from "./tool-plan-faults.ts";
import { beginningOf } from "./one-line.ts";
import { plainSteps, referencesOf, toolPlanOf, type ToolStep } from "./tool-plan.ts";

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
  const { voice, prompt, bind } = request;
  const first = await context.generate({ voice, prompt, bind, schema: ANY_PLAN });
  const draft = read(context, request, first);
  if (draft.faults.length === 0) return tell(context, draft.steps);
  const again = await context.generate(mendRequest(context, request, draft));
  const { steps, faults } = read(context, request, again);
  if (faults.length === 0) return tell(context, steps);
  throw new ProviderError("strategy-failed", stubbornText(voice, faults));
}

/** Makes a plan beside one that is carried out already: where none comes, there is a reason, and no error. */
export async function tryToolPlan<S extends Slots>(
  context: StrategyContext<S>,
  request: ToolPlanRequest,
): Promise<Result<readonly ToolStep[]>> {
  const { voice, prompt, bind } = request;
  const first = await context.tryGenerate({ voice, prompt, bind, schema: ANY_PLAN });
  if (!first.ok) return first;
  const draft = read(context, request, first.value);
  if (draft.faults.length === 0) return { ok: true, value: tell(context, draft.steps) };
  const again = await context.tryGenerate(mendRequest(context, request, draft));
  if (!again.ok) return again;
  const { steps, faults } = read(context, request, again.value);
  if (faults.length === 0) return { ok: true, value: tell(context, steps) };
  return { ok: false, reason: stubbornText(voice, faults) };
}

type Planned = Reply & { readonly value: { readonly steps: readonly ToolStep[] } };

/** A plan as a model wrote it, with what is wrong with it. */
interface PlanDraft {
  readonly reply: Planned;
  readonly steps: readonly ToolStep[];
  readonly faults: readonly string[];
}

function read<S extends Slots>(
  context: StrategyContext<S>,
  request: ToolPlanRequest,
  reply: Planned,
): PlanDraft {
  const steps = plainSteps(reply.value.steps);
  const faults = [...faultsOfSteps(context, steps, request), ...(request.faultsOf?.(steps) ?? [])];
  return { reply, steps, faults };
}

function mendRequest<S extends Slots>(
  context: StrategyContext<S>,
  { voice, max }: ToolPlanRequest,
  { reply, faults }: PlanDraft,
) {
  const list = shownFaults(faults)
    .map((fault) => `- ${fault}`)
    .join("\n");
  const more = faults.length - maxFaults;
  const rest = more > 0 ? `\n- ${context.words(MORE, { more })}` : "";
  const words = context.words(MEND, { list: `${list}${rest}`, max });
  const schema = toolPlanOf({ minItems: 1, maxItems: max });
  return { voice, messages: sayTo(shortConversation(reply), words), schema };
}

/** The conversation up to the plan; of one that is far too long the beginning is enough. */
function shortConversation(reply: Planned): readonly Message[] {
  const { message } = reply;
  const said = [message.text, ...message.toolCalls.map((call) => call.arguments)].join("\n");
  if (said.length + message.reasoning.length <= maxDraftChars) return conversationOf(reply);
  const text = beginningOf(said.trim(), maxDraftChars);
  const short: AssistantMessage = { role: "assistant", text, reasoning: "", toolCalls: [] };
  return conversationOf({ ...reply, text, toolCalls: [], message: short });
}

function shownFaults(faults: readonly string[]): readonly string[] {
  return faults.slice(0, maxFaults);
}

function stubbornText(voice: string, faults: readonly string[]): string {
  const list = shownFaults(faults).join(" ");
  const more = faults.length > maxFaults ? ` (${faults.length} faults in all)` : "";
  return `the plan of tool calls can't be carried out, also after it was sent back once: ${list}${more} Use a stronger model for the voice \`${voice}\`, or fewer steps`;
}

/** So many faults of a plan are shown to the model that made it. */
const maxFaults = 10;
/** So much of a plan that is sent back is shown. */
const maxDraftChars = 12_000;

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

const MORE = definePrompt({
  en: "… and {{more}} more faults like these.",
  zh: "……还有 {{more}} 处类似的错误。",
});

const MEND = definePrompt({
  en: `The plan can't be carried out:
{{list}}
Write the whole plan again, with at least one and at most {{max}} steps.`,
  zh: `这个计划无法执行：
{{list}}
请重新写出完整的计划，至少一步，最多 {{max}} 步。`,
});
