import type { CompiledStage } from "../../program/program.ts";
import { allStages, childrenOf, type FlowContext } from "./flow-context.ts";
import type { StateRead } from "./state-reads.ts";

/** Reports loops whose `until` reads nothing that a round can change: such a loop never ends by it. */
export function checkLoops(stages: readonly CompiledStage[], context: FlowContext): void {
  for (const stage of stages) {
    const reads = (context.reads.get(stage) ?? []).filter(({ moment }) => moment === "round");
    const [first] = reads;
    if (first === undefined || reads.some((read) => mayChange(read, stage, context))) continue;
    const names = [...new Set(reads.map(({ path }) => `\`${path}\``))].join(", ");
    context.diagnostics.error(
      "LW-FLOW-NEVER-PASSES",
      first.at,
      `\`until\` of \`${stage.id}\` reads ${names}, and no stage inside \`do\` changes it: the loop can never pass`,
      repairOf(first, context),
    );
  }
}

function mayChange(
  { path, field }: StateRead,
  stage: CompiledStage,
  context: FlowContext,
): boolean {
  const [root, id] = path.split(".");
  if (root === "task" || root === "inputs") return false;
  if (root === "results" && id !== undefined)
    return childrenOf(stage).some(({ sequence }) =>
      allStages(sequence).some((inner) => inner.id === id),
    );
  if (field === undefined) return true;
  const changes = context.leaves.get(stage);
  if (changes?.has(field) === true) return true;
  // An answer that is newer than its verdict makes the verdict stale.
  return path === "verdict.outcome" && changes?.has("answer") === true;
}

function repairOf({ field }: StateRead, { writers }: FlowContext): string {
  const [writer] = field === undefined ? [] : (writers.get(field) ?? []);
  return writer === undefined
    ? "read something that a stage inside `do` sets"
    : `put a stage that writes it, as \`${writer.definition.id}\` does, inside \`do\`, or read something that \`do\` sets`;
}
