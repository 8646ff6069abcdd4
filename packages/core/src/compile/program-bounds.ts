import type { ConstraintLayer } from "../contracts/provider.ts";
import type { ModelEntry, Program, ProgramBounds, CompiledStage } from "../program/program.ts";
import { sequenceCost, sequenceReserve } from "./stage-bounds.ts";

type Parts = Pick<Program, "strategy" | "stages" | "tools" | "limits" | "agents">;

/** How often a call may be made on a lower layer, from each layer. */
const waysDown: Readonly<Record<ConstraintLayer, number>> = {
  "json-schema": 2,
  "json-mode": 1,
  prompt: 0,
};

/** The worst case of a program, and the model calls that its `always` stages need in any case. */
export function programBounds(parts: Parts): ProgramBounds {
  const { strategy, stages } = parts;
  const { bounds, requests } = sequenceCost(
    strategy.stages.map(({ bounds: own, requests: calls }) => ({ bounds: own, requests: calls })),
  );
  const conclusion = mayConclude(parts) ? 1 : 0;
  return {
    generations: bounds.generations,
    requests: [requests[0], requests[1] + conclusion],
    attempts: (requests[1] + conclusion) * mostAttempts(parts),
    toolCalls: bounds.toolCalls,
    conclusion,
    // Few specs have such a stage.
    reserve: [...stages.values()].some(({ always }) => always) ? sequenceReserve(strategy) : 0,
  };
}

/** How often one request may be made at the most: as often as a model is tried, and once more for each way down. */
function mostAttempts({ stages, agents }: Parts): number {
  const own = reachableModels(stages.values()).map(
    ({ calls, structured = "json-schema" }) => calls.retry.attempts + waysDown[structured],
  );
  const inner = [...(agents ?? [])].map(([, { bounds }]) =>
    bounds.requests[1] === 0 ? 1 : bounds.attempts / bounds.requests[1],
  );
  return Math.max(1, ...own, ...inner);
}

/** True where a run can reach a limit, or the guard against repeats, and has a model to conclude with. */
function mayConclude({ stages, tools, limits }: Parts): boolean {
  const all = [...stages.values()];
  const canEnd =
    tools.size > 0 || [{ limits }, ...all].some((one) => Object.keys(one.limits).length > 0);
  return canEnd && all.some((stage) => Object.keys(stage.models).length > 0);
}

/** Every distinct model that a stage names, with its fallbacks. */
export function reachableModels(stages: Iterable<CompiledStage>): readonly ModelEntry[] {
  const models = new Set<ModelEntry>();
  for (const stage of stages) {
    for (const model of Object.values(stage.models)) {
      models.add(model);
      for (const other of model.fallback) models.add(other);
    }
  }
  return [...models];
}
