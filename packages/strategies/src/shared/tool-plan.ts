import { type TSchema, Type } from "@loopwright/core/plugin";
import { oneLine } from "./one-line.ts";

/** One step of a plan of tool calls: why it is made, the tool, and its arguments, in which `#E1` stands for what step E1 brings. */
export interface ToolStep {
  readonly id: string;
  readonly plan: string;
  readonly tool: string;
  readonly arguments: readonly { readonly name: string; readonly value: string }[];
}

const PlannedCall = Type.Object({
  id: Type.String({ description: "E1, E2, E3, …: each once, counted on." }),
  plan: Type.String({ description: "What the step finds out, in one sentence." }),
  tool: Type.String({ description: "The name of the tool." }),
  arguments: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description:
      "One entry for each argument; lists and objects as JSON text. #E1 in a value stands for what E1 brings.",
  }),
});

/** The schema of a plan of tool calls; `size` bounds its steps. */
export function toolPlanOf(
  size: { readonly minItems?: number; readonly maxItems?: number } = {},
): TSchema & { readonly static: { readonly steps: readonly ToolStep[] } } {
  return Type.Object({ steps: Type.Array(PlannedCall, size) });
}

/** The steps as they are meant: ids and tool names without the marks that belong around them. */
export function plainSteps(steps: readonly ToolStep[]): readonly ToolStep[] {
  return steps.map((step) => ({
    ...step,
    id: step.id.trim().replace(/^#/, ""),
    tool: step.tool.trim(),
  }));
}

/** Where a text names a step; `#E12` is E12 and never E1, and `#E1x` is none. */
export const REFERENCE: RegExp = /#(E\d{1,6})(?![A-Za-z0-9_])/g;

/** True for the id of a step. */
export function isStepId(id: string): boolean {
  return /^E\d{1,6}$/.test(id);
}

/** The ids that the arguments of a step name, each once. */
export function referencesOf(step: ToolStep): readonly string[] {
  const texts = step.arguments.map(({ value }) => value).join("\n");
  return [...new Set([...texts.matchAll(REFERENCE)].map((match) => match[1] as string))];
}

/**
 * The steps by how many others they wait for in a row: each level needs only those before it. Steps of a circle, and
 * those behind one, are left out.
 */
export function levelsOf(
  steps: readonly ToolStep[],
  earlier: Iterable<string> = [],
): readonly (readonly ToolStep[])[] {
  const reached = new Set(earlier);
  const levels: (readonly ToolStep[])[] = [];
  let open = steps;
  for (let level = 0; level < steps.length; level += 1) {
    const ready = open.filter((step) => referencesOf(step).every((id) => reached.has(id)));
    if (ready.length === 0) break;
    for (const { id } of ready) reached.add(id);
    open = open.filter((step) => !ready.includes(step));
    levels.push(ready);
  }
  return levels;
}

/** A call as one line, to be read by a model. */
export function callLine(step: Pick<ToolStep, "tool" | "arguments">): string {
  const list = step.arguments.map(({ name, value }) => `${name}: ${JSON.stringify(value)}`);
  return oneLine(`${step.tool}(${list.join(", ")})`, maxLineChars);
}

const maxLineChars = 1500;

/** The names that a call gives more than once: which value is meant can't be told. */
export function doubleNames({ arguments: list }: Pick<ToolStep, "arguments">): readonly string[] {
  const seen = new Set<string>();
  const double = new Set<string>();
  for (const name of list.map((one) => one.name.trim())) (seen.has(name) ? double : seen).add(name);
  return [...double];
}

/** What tells two calls apart, whatever the order of their arguments; one without a value counts for none. */
export function callKeyOf(step: Pick<ToolStep, "tool" | "arguments">): string {
  const list = step.arguments
    .filter(({ value }) => value.trim() !== "")
    .map(({ name, value }) => JSON.stringify([name.trim().toLowerCase(), value.trim()]));
  return `${step.tool} ${list.toSorted().join(" ")}`;
}

/**
 * For each step that makes the same call as one before it, the first that makes it; calls that build on steps of the same
 * call are the same too. The steps stand in an order in which each comes after those that it names.
 */
export function sameCalls(
  ordered: readonly ToolStep[],
  earlier: readonly ToolStep[] = [],
): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>();
  const same = new Map<string, string>();
  for (const step of [...earlier, ...ordered]) {
    const list = step.arguments.map(({ name, value }) => ({
      name,
      value: value.replaceAll(REFERENCE, (_, id: string) => `#${same.get(id) ?? id}`),
    }));
    const key = callKeyOf({ tool: step.tool, arguments: list });
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, step.id);
    else same.set(step.id, first);
  }
  return same;
}
