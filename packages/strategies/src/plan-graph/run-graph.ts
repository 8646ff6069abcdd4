import { definePrompt, type StrategyContext } from "@loopwright/core/plugin";
import { broughtText, cutStep, hasBrought, type StepEnd } from "../shared/step-evidence.ts";
import {
  callKeyOf,
  filledArguments,
  levelsOf,
  referencesOf,
  type ToolStep,
} from "../shared/tool-plan.ts";
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
 */
export async function runGraph(
  context: StrategyContext,
  steps: readonly ToolStep[],
  before: readonly Task[],
  options: GraphOptions,
): Promise<readonly Task[]> {
  const ordered = levelsOf(
    steps,
    before.map(({ step }) => step.id),
  ).flat();
  const known = new Map(before.map(({ step, end }) => [callKeyOf(step), end] as const));
  const ends = new Map(before.map(({ step, end }) => [step.id, Promise.resolve(end)] as const));
  const settled = new Map<string, StepEnd>();
  const places = new Places(options.maxParallel);
  const branches = ordered.map((step) => ({
    key: `task:${step.id}`,
    run: async (branch: StrategyContext) => {
      const made = known.get(callKeyOf(step));
      const end = hasBrought(made)
        ? Promise.resolve(made as StepEnd)
        : carryOut(branch, step, { ends, places, maxChars: options.maxEvidenceChars });
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

interface Graph {
  readonly ends: ReadonlyMap<string, Promise<StepEnd>>;
  readonly places: Places;
  readonly maxChars: number;
}

async function carryOut(
  context: StrategyContext,
  step: ToolStep,
  { ends, places, maxChars }: Graph,
): Promise<StepEnd> {
  const needed = new Map<string, StepEnd | undefined>();
  for (const id of referencesOf(step)) needed.set(id, await ends.get(id));
  const lacking = [...needed].filter(([, end]) => !hasBrought(end)).map(([id]) => id);
  if (lacking.length > 0)
    return { kind: "left-out", reason: context.words(LACKING, { list: lacking.join(", ") }) };
  await places.take();
  const call = async (): Promise<StepEnd> => {
    if (context.conclude()) return cutStep(context.language);
    const textOf = (id: string): string => broughtText(needed.get(id));
    const text = filledArguments(step, { textOf, maxChars });
    const [observation] = await context.callTools([
      { id: step.id, name: step.tool, arguments: text },
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
