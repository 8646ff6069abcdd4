import type { CompiledStage, ToolEntry, ToolPolicy } from "../program/program.ts";
import { childScope, type Frame } from "../run/run-scope.ts";
import type { ListedEntry } from "./listed-entry.ts";
import type { Asker } from "./tool-listings.ts";

/** The policy of a tool in this stage; a listed one has that of its set for what it does. */
export function policyOf(frame: Frame, entry: ToolEntry): ToolPolicy {
  const { stage } = frame;
  if (!isListed(entry)) return stage?.policies.get(entry.name) ?? entry.policy;
  return stage?.sets?.get(entry.of)?.policies?.[entry.policy.effect] ?? entry.policy;
}

/** The stage's tool of that name, on the wire or in the spec; never a near one. */
export function findTool(frame: Frame, name: string): ToolEntry | undefined {
  return byName(stageTools(frame), name);
}

/** The tool of that name in the spec, or among what its sets have listed in this run. */
export function entryOf(frame: Frame, name: string): ToolEntry | undefined {
  const { tools } = frame.run.linked.program;
  return tools.get(name) ?? listedIn(frame).find((entry) => entry.name === name);
}

/** The tools that a stage may call; those of its sets once they are listed. */
export function stageTools(frame: Frame): readonly ToolEntry[] {
  if (frame.stage === undefined) return [];
  const { stage } = frame;
  const known = toolsOfStage.get(stage);
  if (known !== undefined) return known;
  const { tools } = frame.run.linked.program;
  const entries = stage.tools.flatMap((id) => tools.get(id) ?? []);
  if (stage.sets !== undefined) return entries.flatMap((entry) => callable(frame, entry));
  toolsOfStage.set(stage, entries);
  return entries;
}

const toolsOfStage = new WeakMap<CompiledStage, readonly ToolEntry[]>();

/** A set is not called itself. */
function callable(frame: Frame, entry: ToolEntry): readonly ToolEntry[] {
  if (entry.definition.set === undefined) return [entry];
  const listed = frame.run.listings.of(entry);
  return frame.stage?.sets?.get(entry.name)?.isReadOnly === true
    ? listed.filter(({ policy }) => policy.effect === "read")
    : listed;
}

/** Asks the sets of a stage for their tools, all at once, those that no earlier stage of the run asked. */
export async function listStageTools(frame: Frame): Promise<void> {
  const { sets } = frame.stage ?? {};
  if (sets === undefined) return;
  const { tools } = frame.run.linked.program;
  const entries = [...sets.keys()].flatMap((name) => tools.get(name) ?? []);
  const asker: Asker = {
    linked: frame.run.linked,
    signal: frame.signal,
    tell: (name, data) => frame.run.bus.emit(name, data, childScope(frame, frame.key)),
  };
  const results = await Promise.allSettled(
    entries.map((set) => frame.run.listings.list(asker, set)),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** Whether a tool was listed by a set. */
export function isListed(entry: ToolEntry): entry is ListedEntry {
  return "of" in entry;
}

/** The entry of the spec that a tool belongs to: its own, or that of the set that listed it. */
export function specEntryOf(frame: Frame, entry: ToolEntry): ToolEntry {
  if (!isListed(entry)) return entry;
  return frame.run.linked.program.tools.get(entry.of) ?? entry;
}

/** The name of the tool that a model asked for, for the record. */
export function toolName(frame: Frame, name: string): string {
  const all = (): readonly ToolEntry[] => [
    ...frame.run.linked.program.tools.values(),
    ...listedIn(frame),
  ];
  const entry = findTool(frame, name) ?? byName(all(), name);
  return entry?.name ?? name.replaceAll(NOT_IN_NAMES, "_").slice(0, 64);
}

function listedIn(frame: Frame): readonly ListedEntry[] {
  const { tools } = frame.run.linked.program;
  return [...tools.values()].flatMap((entry) =>
    entry.definition.set === undefined ? [] : frame.run.listings.of(entry),
  );
}

/** A name that the model made up stands in prompts as the attribute of an observation; it must not end it. */
const NOT_IN_NAMES = /[^\w./:-]/gu;

/** Names on the wire first: they are what a model was shown. */
function byName(entries: readonly ToolEntry[], name: string): ToolEntry | undefined {
  return (
    entries.find((entry) => entry.wireName === name) ?? entries.find((entry) => entry.name === name)
  );
}
