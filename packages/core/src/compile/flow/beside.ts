import type { StateField } from "../../contracts/state.ts";
import type { CompiledSequence, CompiledStage } from "../../program/program.ts";
import { slotNamesOf } from "../slot-forms.ts";
import {
  childrenOf,
  type FlowContext,
  keepsWritesOf,
  ownWrites,
  placeOf,
  type SlotChild,
} from "./flow-context.ts";

const single: readonly StateField[] = ["answer", "verdict", "plan"];

/** Reports two branches that run beside each other and set one field, where nothing combines them. */
export function reportTwoWriters(
  stage: CompiledStage,
  children: readonly SlotChild[],
  context: FlowContext,
): void {
  if (isCombined(stage, children)) return;
  for (const field of single) {
    const [first, second] = children.flatMap((child) => {
      const writer = writerOf(child.sequence, field, context);
      return writer === undefined ? [] : [{ child, writer }];
    });
    if (first === undefined || second === undefined) continue;
    const words = [first, second].map(
      ({ child, writer }) => `\`${child.name}\` (\`${writer.id}\`, line ${writer.position.line})`,
    );
    context.diagnostics.error(
      "LW-FLOW-TWO-WRITERS",
      placeOf(second.writer),
      `${words.join(" and ")} run beside each other and both set \`${field}\`; only one can stand`,
      "add `combine:` with a stage that makes one of both, or let one branch alone set it",
    );
  }
}

/** The first stage of a branch that writes a field; one that never runs is none. */
function writerOf(
  { stages }: CompiledSequence,
  field: StateField,
  context: FlowContext,
): CompiledStage | undefined {
  for (const stage of stages) {
    if (context.idle.has(stage) || context.leaves.get(stage)?.has(field) !== true) continue;
    if (knownWrites(stage, context).includes(field)) return stage;
    for (const { slot, sequence } of childrenOf(stage)) {
      const writer = keepsWritesOf(stage, slot, field)
        ? writerOf(sequence, field, context)
        : undefined;
      if (writer !== undefined) return writer;
    }
  }
  return undefined;
}

/** What a stage writes itself; of one with faults, what its strategy always writes by the options that could be read. */
function knownWrites(stage: CompiledStage, context: FlowContext): readonly StateField[] {
  const { id, definition, options, slots } = stage;
  if (!context.unsound.has(id)) return ownWrites(stage, context);
  if (context.sites.get(id)?.isUnknown !== false) return [];
  try {
    return definition.flow(options as never, slotNamesOf(Object.keys(slots))).sets ?? [];
  } catch {
    // The faults of these options are told.
    return [];
  }
}

function isCombined({ definition, slots }: CompiledStage, children: readonly SlotChild[]): boolean {
  const [first] = children;
  return Object.entries(definition.slots).some(
    ([name, { seesResultsOf }]) =>
      seesResultsOf !== undefined && seesResultsOf === first?.slot && slots[name] !== undefined,
  );
}
