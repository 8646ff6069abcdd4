import {
  type Json,
  type JsonObject,
  parseStructured,
  type TSchema,
  Type,
} from "@loopwright/core/plugin";

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

const REFERENCE = /#(E\d+)/g;

/** The ids that the arguments of a step name, each once; `#E12` is E12 and never E1. */
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

/** What is known of the steps that arguments name. */
interface KnownEvidence {
  /** The text that a step brought. */
  readonly textOf: (id: string) => string;
  /** The most characters that take the place of one reference. */
  readonly maxChars: number;
}

/** The arguments of a call as JSON, each reference replaced by the text that its step brought. */
export function filledArguments(
  { arguments: list }: Pick<ToolStep, "arguments">,
  known: KnownEvidence,
): string {
  const entries = list.map(({ name, value }) => [name, filled(value, known)] as const);
  return JSON.stringify(Object.fromEntries(entries));
}

/** The arguments of a call as JSON, as they stand: nothing in them refers to another call. */
export function plainArguments(call: Pick<ToolStep, "arguments">): string {
  return filledArguments(call, { textOf: (id) => `#${id}`, maxChars: Number.POSITIVE_INFINITY });
}

/** A list or an object is filled leaf by leaf, so that no quote in a text breaks it. */
function filled(value: string, known: KnownEvidence): Json {
  const parsed = /^\s*[[{]/.test(value) ? parseStructured(value) : undefined;
  return parsed?.ok === true ? filledLeaves(parsed.value, known) : filledText(value, known);
}

function filledLeaves(value: Json, known: KnownEvidence): Json {
  if (typeof value === "string") return filledText(value, known);
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => filledLeaves(item, known));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(entries.map(([name, item]) => [name, filledLeaves(item, known)]));
}

function filledText(text: string, { textOf, maxChars }: KnownEvidence): string {
  return text.replaceAll(REFERENCE, (_, id: string) => cut(textOf(id), maxChars));
}

/** The beginning of a text; no character is cut in two. */
function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
}

/** A call as one line, to be read by a model. */
export function callLine(step: Pick<ToolStep, "tool" | "arguments">): string {
  const list = step.arguments.map(({ name, value }) => `${name}: ${JSON.stringify(value)}`);
  return `${step.tool}(${list.join(", ")})`;
}

/** What tells two calls apart, whatever the order of their arguments. */
export function callKeyOf(step: Pick<ToolStep, "tool" | "arguments">): string {
  const list = step.arguments.map(({ name, value }) => JSON.stringify([name, value.trim()]));
  return `${step.tool} ${list.toSorted().join(" ")}`;
}
