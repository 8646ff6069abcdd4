import type { CompiledStage, ToolEntry, ToolPolicy } from "../program/program.ts";
import type { Frame } from "../run/run-scope.ts";

/** The policy of a tool in this stage. */
export function policyOf(frame: Frame, entry: ToolEntry): ToolPolicy {
  return frame.stage?.policies.get(entry.name) ?? entry.policy;
}

/** The stage's tool of that name, on the wire or in the spec; never a near one. */
export function findTool(frame: Frame, name: string): ToolEntry | undefined {
  return byName(stageTools(frame), name);
}

/** The tools that a stage may call. */
export function stageTools(frame: Frame): readonly ToolEntry[] {
  if (frame.stage === undefined) return [];
  const known = toolsOfStage.get(frame.stage);
  if (known !== undefined) return known;
  const { tools } = frame.run.linked.program;
  const entries = frame.stage.tools.flatMap((id) => tools.get(id) ?? []);
  toolsOfStage.set(frame.stage, entries);
  return entries;
}

const toolsOfStage = new WeakMap<CompiledStage, readonly ToolEntry[]>();

/** The name of the tool that a model asked for, for the record. */
export function toolName(frame: Frame, name: string): string {
  const entry = findTool(frame, name) ?? byName([...frame.run.linked.program.tools.values()], name);
  return entry?.name ?? name.replaceAll(NOT_IN_NAMES, "_").slice(0, 64);
}

/** A name that the model made up stands in prompts as the attribute of an observation; it must not end it. */
const NOT_IN_NAMES = /[^\w./:-]/gu;

/** Names on the wire first: they are what a model was shown. */
function byName(entries: readonly ToolEntry[], name: string): ToolEntry | undefined {
  return (
    entries.find((entry) => entry.wireName === name) ?? entries.find((entry) => entry.name === name)
  );
}
