import type { ConstraintLayer } from "../contracts/provider.ts";
import { isLoopwrightError } from "../errors/loopwright-error.ts";

/** From the lowest, which every model can do, to the highest. */
const ladder: readonly ConstraintLayer[] = ["prompt", "json-mode", "json-schema"];

/** The lowest of the layers that are given. */
export function lowestLayer(
  first: ConstraintLayer,
  ...others: readonly (ConstraintLayer | undefined)[]
): ConstraintLayer {
  const ranks = [first, ...others].map((layer) => (layer === undefined ? -1 : rankOf(layer)));
  return ladder[Math.min(...ranks.filter((rank) => rank >= 0))] ?? "prompt";
}

/** The layer to try after a refusal on another; undefined where the refusal does not say that a layer at or below that one is lacking. */
export function layerAfter(fault: unknown, asked: ConstraintLayer): ConstraintLayer | undefined {
  const lacks: unknown = isLoopwrightError(fault) ? fault.details["lacks"] : undefined;
  const rank = rankOf(lacks);
  return rank < 1 || rank > rankOf(asked) ? undefined : ladder[rank - 1];
}

/** -1 for what is no layer: capabilities and faults are somebody's code. */
function rankOf(layer: unknown): number {
  return ladder.indexOf(layer as ConstraintLayer);
}
