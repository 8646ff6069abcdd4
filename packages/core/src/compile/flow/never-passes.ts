import type { CompiledStage } from "../../program/program.ts";
import { allStages, childrenOf, type FlowContext } from "./flow-context.ts";
import type { StateRead } from "./state-reads.ts";

/**
 * Reports loops whose `until` reads nothing that a round can change. It is looked at before every round: where something
 * before the loop may have set what it reads, it passes at once or never. Where it reads what nothing writes, that is told.
 */
export function checkLoops(stages: readonly CompiledStage[], context: FlowContext): void {
  for (const stage of stages) {
    const reads = (context.reads.get(stage) ?? []).filter(({ moment }) => moment === "round");
    const [first] = reads;
    if (reads.some((read) => context.unwritten.has(read))) continue;
    if (first === undefined || reads.some((read) => mayChange(read, stage, context))) continue;
    const names = [...new Set(reads.map(({ path }) => `\`${path}\``))].join(", ");
    const what = `\`until\` of \`${stage.id}\` reads ${names}, and no stage inside \`do\` changes it`;
    const repair = repairOf(first, stage, context);
    if (reads.some((read) => mayBeSet(read, stage, stages, context))) {
      const message = `${what}: it holds before the first round or never`;
      context.diagnostics.warn("LW-FLOW-NEVER-PASSES", first.at, message, repair);
    } else {
      const message = `${what}: the loop can never pass`;
      context.diagnostics.error("LW-FLOW-NEVER-PASSES", first.at, message, repair);
    }
  }
}

/** Whether what is read may hold something as the loop begins. */
function mayBeSet(
  { path, field }: StateRead,
  stage: CompiledStage,
  stages: readonly CompiledStage[],
  { starts }: FlowContext,
): boolean {
  const [root, id] = path.split(".");
  // Results of a stage behind the loop are there too where a loop around both runs again.
  if (root === "results") return id === undefined || stages.some((one) => one.id === id);
  const before = starts.get(stage);
  return field === undefined || before === undefined || before.has(field);
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

function repairOf({ field }: StateRead, stage: CompiledStage, { writers }: FlowContext): string {
  const inner = new Set(childrenOf(stage).flatMap(({ sequence }) => allStages(sequence)));
  const all = field === undefined ? [] : (writers.get(field) ?? []);
  // What writes it inside already is no help, and nor is the loop.
  const writer = all.find((one) => one !== stage && !inner.has(one));
  return writer === undefined
    ? "read something that a stage inside `do` sets"
    : `put a stage that writes it, as \`${writer.definition.id}\` does, inside \`do\`, or read something that \`do\` sets`;
}
