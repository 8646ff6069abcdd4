import {
  definePrompt,
  type JsonObject,
  type Observation,
  observationText,
  type Prompt,
  type ToolCall,
} from "@loopwright/core/plugin";
import type { Course } from "./course.ts";
import type { CallResult, Move } from "./mode.ts";
import type { NearCall } from "./near-repeats.ts";
import { sized } from "./observation-size.ts";
import { otherPlan, PLAN_ACTION, updatePlan } from "./plan-action.ts";
import { isReflection, reflectionCount, reflectionRefusal } from "./reflection-moments.ts";

/**
 * Executes the calls of a step, and answers every one of them: also those above a maximum. Returns true where the plan has
 * changed: what the step said of it was said of the plan before.
 */
export async function act(course: Course, { thought, calls }: Move): Promise<boolean> {
  const { context } = course;
  const { planRevision } = context.state;
  const hasNewPlan = (): boolean => context.state.planRevision !== planRevision;
  const { executed, refusals } = sortCalls(course, calls);
  const observations = await context.callTools(executed);
  if (executed.some((call, index) => hasReflected(course, call, observations[index])))
    course.guide.hasEndedStep = false;
  const results: CallResult[] = [];
  for (const call of calls) {
    const observation = observations[executed.indexOf(call)];
    const refusal = refusals.get(call);
    if (observation !== undefined)
      results.push(await observed(course, call, observation, hasNewPlan()));
    else if (refusal !== undefined) results.push({ call, text: refusal, ok: false });
    else if (hasNewPlan()) results.push({ call, text: context.words(NEW_PLAN), ok: false });
    else results.push(await updated(course, call));
  }
  course.tell(course.mode.resultsOf(results));
  context.save({ thread: { messages: course.messages } });
  const near = executed.map((call, index) => nearCall(course, call, observations[index]));
  course.ending = course.guide.faultOfStep({ thought, calls: near });
  return hasNewPlan();
}

function hasReflected(
  { context }: Course,
  call: ToolCall,
  observation: Observation | undefined,
): boolean {
  return observation?.ok === true && isReflection(call, context.tools);
}

/** The calls to execute, and why others are not; the loop's own calls are neither. */
function sortCalls(
  course: Course,
  calls: readonly ToolCall[],
): { readonly executed: readonly ToolCall[]; readonly refusals: ReadonlyMap<ToolCall, string> } {
  const { context, options, guide } = course;
  const { maxCallsPerStep: max, maxReflections } = options;
  const executed: ToolCall[] = [];
  const refusals = new Map<ToolCall, string>();
  let reflections = reflectionCount(guide.observations, context.tools);
  let count = 0;
  for (const call of calls) {
    if (isOwn(course, call)) continue;
    const isThought = isReflection(call, context.tools);
    if (isThought && reflections >= maxReflections)
      refusals.set(call, reflectionRefusal(options, context.language));
    else if (executed.length < max) {
      executed.push(call);
      if (isThought) reflections += 1;
    } else {
      refusals.set(call, context.words(TOO_MANY, { max }));
      count += 1;
    }
  }
  if (count > 0) context.fact("calls.refused", { count, max });
  return { executed, refusals };
}

function isOwn({ actions }: Course, { name }: ToolCall): boolean {
  return name === PLAN_ACTION && actions.length > 0;
}

/** What a tool returned, and the plan that a thought asked for: one of the plan before asks for none. */
async function observed(
  course: Course,
  call: ToolCall,
  observation: Observation,
  hasNewPlan: boolean,
): Promise<CallResult> {
  const { context, options } = course;
  const text = observationText(sized(observation, options.observations));
  const reason = planReason(observation);
  const { ok } = observation;
  if (reason === undefined) return { call, text, ok };
  const said = hasNewPlan ? context.words(NEW_PLAN) : await otherPlan(context, reason);
  return { call, text: `${text}\n${said}`, ok };
}

/** Why a thought asks for another plan; undefined where it does not. */
function planReason({ isThought, ok, input }: Observation): string | undefined {
  if (isThought !== true || !ok || typeof input !== "object" || input === null) return undefined;
  const reason = Array.isArray(input) ? undefined : (input as JsonObject)["changePlan"];
  return typeof reason === "string" && reason.trim() !== "" ? reason : undefined;
}

async function updated(course: Course, call: ToolCall): Promise<CallResult> {
  const { text, ok, hasEnded } = await updatePlan(course.context, call);
  course.guide.hasEndedStep ||= hasEnded;
  return { call, text, ok };
}

function nearCall(
  { context }: Course,
  { name, arguments: given }: ToolCall,
  observation: Observation | undefined,
): NearCall {
  const tool = context.tools.find((one) => one.name === name || one.tool === name);
  // Asking again is what a tool that polls is for.
  const isExempt = tool?.isThought === true || tool?.polls === true;
  return { name, arguments: given, result: observation?.content ?? "", isExempt };
}

const NEW_PLAN: Prompt = definePrompt({
  en: "not noted: the plan has changed; say it again, of the plan as it is",
  zh: "未记录：计划已经改变；请按现在的计划重新说明",
});

const TOO_MANY: Prompt<"max"> = definePrompt({
  en: "not executed: at most {{max}} calls a step; ask again",
  zh: "未执行：每一步最多调用 {{max}} 次；请重新提出",
});
