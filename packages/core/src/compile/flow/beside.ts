import type { StateField } from "../../contracts/state.ts";
import type { CompiledStage } from "../../program/program.ts";
import { type FlowContext, placeOf, type SlotChild, writerIn } from "./flow-context.ts";

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
      const writer = soundWriter(child, field, context);
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

// What is not known whole stands for writing everything, which it need not do.
function soundWriter(
  { sequence }: SlotChild,
  field: StateField,
  context: FlowContext,
): CompiledStage | undefined {
  return sequence.stages
    .filter((one) => context.leaves.get(one)?.has(field))
    .map((one) => writerIn(one, field, context))
    .find(({ id }) => !context.unsound.has(id));
}

function isCombined({ definition, slots }: CompiledStage, children: readonly SlotChild[]): boolean {
  const [first] = children;
  return Object.entries(definition.slots).some(
    ([name, { seesResultsOf }]) =>
      seesResultsOf !== undefined && seesResultsOf === first?.slot && slots[name] !== undefined,
  );
}
