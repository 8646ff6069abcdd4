import { definePrompt, type Slots, type StrategyContext } from "@loopwright/core/plugin";
import { oneLine } from "./one-line.ts";
import { doubleNames, isStepId, levelsOf, referencesOf, type ToolStep } from "./tool-plan.ts";

/** What a plan of tool calls must keep to. */
interface PlanRules {
  readonly max: number;
  /** Ids of steps that are done already; they may be named, and not used again. */
  readonly earlier?: readonly string[];
}

/** What is wrong with the steps of a plan, in words for the model that made it; circles are looked for where nothing else is. */
export function faultsOfSteps<S extends Slots>(
  context: StrategyContext<S>,
  steps: readonly ToolStep[],
  { max, earlier = [] }: PlanRules,
): readonly string[] {
  const faults: string[] = [];
  const known = new Set([...earlier, ...steps.map(({ id }) => id)]);
  const before = new Set(earlier);
  const used = new Set(earlier);
  const next = nextIdOf(earlier);
  if (steps.length === 0) faults.push(context.words(NO_STEP));
  if (steps.length > max) faults.push(context.words(TOO_MANY, { count: steps.length, max }));
  for (const step of steps) {
    const id = shown(step.id);
    if (!isStepId(step.id)) faults.push(context.words(BAD_ID, { id }));
    if (before.has(step.id)) faults.push(context.words(TAKEN, { id, next }));
    else if (used.has(step.id)) faults.push(context.words(TWICE, { id }));
    used.add(step.id);
    const missing = referencesOf(step).filter((other) => !known.has(other));
    for (const other of missing) faults.push(context.words(MISSING, { id, other }));
    for (const name of doubleNames(step))
      faults.push(context.words(DOUBLE, { id, name: shown(name) }));
  }
  if (faults.length > 0) return faults;
  const reached = new Set(levelsOf(steps, earlier).flat());
  const stuck = steps.filter((step) => !reached.has(step)).map(({ id }) => id);
  return stuck.length === 0 ? [] : [context.words(CIRCLE, { list: stuck.join(", ") })];
}

/** The id with which the steps after these begin. */
export function nextIdOf(ids: readonly string[]): string {
  return `E${1 + Math.max(0, ...ids.map((id) => Number(id.slice(1))))}`;
}

function shown(text: string): string {
  return oneLine(text, 60);
}

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

const TAKEN = definePrompt({
  en: "The id {{id}} is used already. The next free one is {{next}}.",
  zh: "编号 {{id}} 已经用过。下一个可用的编号是 {{next}}。",
});

const MISSING = definePrompt({
  en: "{{id}} names #{{other}}, and there is no such step.",
  zh: "{{id}} 引用了 #{{other}}，但没有这个步骤。",
});

const DOUBLE = definePrompt({
  en: "{{id}} gives the argument {{name}} more than once; give each once, and several values as one list.",
  zh: "{{id}} 多次给出参数 {{name}}；每个参数只给一次，多个值请写成一个列表。",
});

const CIRCLE = definePrompt({
  en: "These steps wait for each other in a circle, or for such steps: {{list}}.",
  zh: "以下步骤互相等待，或依赖这样的步骤，形成了循环：{{list}}。",
});
