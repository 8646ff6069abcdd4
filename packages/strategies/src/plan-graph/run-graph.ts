import { definePrompt, type JsonSchema, type StrategyContext } from "@loopwright/core/plugin";
import { broughtText, cutStep, hasBrought, type StepEnd } from "../shared/step-evidence.ts";
import { filledArguments } from "../shared/tool-plan-arguments.ts";
import { levelsOf, referencesOf, sameCalls, type ToolStep } from "../shared/tool-plan.ts";
import { Places } from "./places.ts";

/** A task of the graph, and what it came to. */
export interface Task {
  readonly step: ToolStep;
  readonly end: StepEnd;
}

/** How the tasks of a graph are carried out. */
interface GraphOptions {
  readonly maxParallel: number;
  readonly maxEvidenceChars: number;
}

/**
 * Carries out a graph of tasks: each starts the moment that all it names are done and a place is free.
 *
 * Every task is a branch of one fan-out, and waits inside it for the ends of others. Branches begin in the order of the
 * graph, a task after all that it names, and only a task at work holds a place: so the first unfinished one never waits
 * for anything, and nothing stands still. A branch that throws lets those go that wait for it, with what it threw.
 *
 * Which tasks may call is decided before the first one does, in the order of the graph: what a limit leaves out does not
 * depend on which call comes back first. A task that makes the same call as one before it takes what that one brought.
 */
export async function runGraph(
  context: StrategyContext,
  steps: readonly ToolStep[],
  before: readonly Task[],
  options: GraphOptions,
): Promise<readonly Task[]> {
  const earlier = before.map(({ step }) => step.id);
  const ordered = levelsOf(steps, earlier).flat();
  const done = before.filter(({ end }) => hasBrought(end)).map(({ step }) => step);
  const same = sameCalls(ordered, done);
  const cut = beyondLimits(
    context,
    ordered.filter(({ id }) => !same.has(id)),
  );
  const ends = new Map(before.map(({ step, end }) => [step.id, Promise.resolve(end)] as const));
  const settled = new Map<string, StepEnd>();
  const inputs = new Map(context.tools.map(({ name, input }) => [name, input]));
  const graph = { ends, cut, inputs, places: new Places(options.maxParallel), options };
  const branches = ordered.map((step) => ({
    key: `task:${step.id}`,
    run: async (branch: StrategyContext) => {
      const end = ends.get(same.get(step.id) ?? "") ?? carryOut(branch, step, graph);
      ends.set(step.id, end);
      settled.set(step.id, await end);
    },
  }));
  const results = await context.fanOut(branches, { maxParallel: branches.length });
  context.adopt(results);
  const reasons = new Map(results.map(({ key, reason }) => [key, reason]));
  return ordered.map((step) => {
    const reason = reasons.get(`task:${step.id}`) ?? "";
    return { step, end: settled.get(step.id) ?? { kind: "left-out", reason } };
  });
}

/** The tasks, of those in the order of the graph, for which a limit leaves no room. */
function beyondLimits(context: StrategyContext, steps: readonly ToolStep[]): ReadonlySet<string> {
  const isNear = context.conclude();
  const fits = context.callsThatFit(steps.map(({ tool }) => tool));
  return new Set(steps.filter((_, index) => isNear || fits[index] !== true).map(({ id }) => id));
}

interface Graph {
  readonly ends: ReadonlyMap<string, Promise<StepEnd>>;
  readonly cut: ReadonlySet<string>;
  readonly inputs: ReadonlyMap<string, JsonSchema>;
  readonly places: Places;
  readonly options: GraphOptions;
}

async function carryOut(
  context: StrategyContext,
  step: ToolStep,
  { ends, cut, inputs, places, options }: Graph,
): Promise<StepEnd> {
  const needed = new Map<string, StepEnd | undefined>();
  for (const id of referencesOf(step)) needed.set(id, await ends.get(id));
  const lacking = [...needed].filter(([, end]) => !hasBrought(end)).map(([id]) => id);
  if (cut.has(step.id)) return cutStep(context.language);
  if (lacking.length > 0)
    return { kind: "left-out", reason: context.words(LACKING, { list: lacking.join(", ") }) };
  await places.take();
  const call = async (): Promise<StepEnd> => {
    const input = inputs.get(step.tool) ?? {};
    const textOf = (id: string): string => broughtText(needed.get(id));
    const known = { input, textOf, maxChars: options.maxEvidenceChars };
    const [observation] = await context.callTools([
      { id: step.id, name: step.tool, arguments: filledArguments(step, known) },
    ]);
    return observation === undefined ? cutStep(context.language) : { kind: "called", observation };
  };
  const called = call();
  const free = (): void => places.free();
  called.then(free, free);
  return await called;
}

const LACKING = definePrompt({
  en: "it needs {{list}}, which brought nothing",
  zh: "它需要 {{list}} 的结果，而那里没有得到任何结果",
});
