import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import type {
  Limits,
  ModelEntry,
  Program,
  ProgramBounds,
  CompiledStage,
} from "../program/program.ts";
import { sequenceCost, sequenceReserve } from "./stage-bounds.ts";

type Parts = Pick<Program, "strategy" | "stages" | "tools" | "limits">;

/** The worst case of a program, and the model calls that its `always` stages need in any case. */
export function programBounds(parts: Parts): ProgramBounds {
  const { strategy } = parts;
  const { bounds, requests } = sequenceCost(
    strategy.stages.map(({ bounds: own, requests: calls }) => ({ bounds: own, requests: calls })),
  );
  const conclusion = mayConclude(parts) ? 1 : 0;
  return {
    generations: bounds.generations,
    requests: [requests[0], requests[1] + conclusion],
    toolCalls: bounds.toolCalls,
    conclusion,
    reserve: sequenceReserve(strategy),
  };
}

/** True where a run can reach a limit, or the guard against repeats, and has a model to conclude with. */
function mayConclude({ stages, tools, limits }: Parts): boolean {
  const all = [...stages.values()];
  const canEnd =
    tools.size > 0 || [{ limits }, ...all].some((one) => Object.keys(one.limits).length > 0);
  return canEnd && all.some((stage) => Object.keys(stage.models).length > 0);
}

/** Compares what the stages may need at the most with the limits: above a limit is a warning, never able to do anything an error. */
export function checkLimits(
  node: SpecNode | undefined,
  limits: Limits,
  bounds: ProgramBounds,
  diagnostics: Diagnostics,
): void {
  if (node?.kind !== "map") return;
  const worst = [
    ["modelCalls", "model calls", bounds.requests[1] - bounds.conclusion, limits.modelCalls],
    ["toolCalls", "tool calls", bounds.toolCalls[1], limits.toolCalls],
  ] as const;
  for (const [key, words, most, limit] of worst) {
    if (limit === undefined || most <= limit) continue;
    const at = entry(node, key) ?? node;
    const needed = key === "modelCalls" ? bounds.reserve + 2 : 0;
    if (limit < needed) {
      const reserved =
        bounds.reserve === 0 ? "" : `${numeral(bounds.reserve)} for stages that always run, `;
      const message = `limits.modelCalls ${numeral(limit)} is too small: a run needs at least ${numeral(needed)} (${reserved}one for the conclusion, one to begin)`;
      diagnostics.error(
        "LW-LIMIT-UNREACHABLE",
        at,
        message,
        `write \`modelCalls: ${needed}\` or more`,
      );
    } else {
      const message = `worst case ${numeral(most)} ${words} is above limits.${key} ${numeral(limit)}: it may end \`limited\``;
      diagnostics.warn("LW-LIMIT-BELOW-BOUND", at, message);
    }
  }
}

/** Reports a limit in dollars where a model has no price: it could not be enforced. */
export function checkPrices(
  limit: SpecNode | undefined,
  models: readonly ModelEntry[],
  diagnostics: Diagnostics,
): void {
  if (limit === undefined) return;
  const unpriced = [
    ...new Set(models.filter((model) => model.price === undefined).map((model) => model.id)),
  ];
  if (unpriced.length === 0) return;
  const message = `a limit in dollars needs the price of every model; missing: ${unpriced.map((id) => `\`${id}\``).join(", ")}`;
  diagnostics.error(
    "LW-LIMIT-NO-PRICE",
    limit,
    message,
    "add `price: { input: ..., output: ... }` (dollars per million tokens) to each",
  );
}

/** Every distinct model that a stage names, with its fallbacks. */
export function reachableModels(stages: Iterable<CompiledStage>): readonly ModelEntry[] {
  const models = new Set<ModelEntry>();
  for (const stage of stages) {
    for (const model of Object.values(stage.models))
      for (const reachable of [model, ...model.fallback]) models.add(reachable);
  }
  return [...models];
}

function numeral(count: number): string {
  return count.toLocaleString("en-US");
}
