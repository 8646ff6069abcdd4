import type { ObjectShape, Shape } from "../spec/text/shape.ts";
import { agentOf, agentValue } from "./compile-agents.ts";
import type { CompileContext } from "./compile-context.ts";
import { listBounds } from "./list-bounds.ts";
import { flattenStages, type ReadStage } from "./stage-tree.ts";
import { itemResultsShape, resultShape, stateShape } from "./state-shape.ts";

/** The shape of the state of a spec with these stages, as its outermost places see it. */
export function stateShapeOf(
  stages: readonly ReadStage[],
  known: { readonly inputs: Shape; readonly value: Shape; readonly memories: readonly string[] },
  context: CompileContext,
): ObjectShape {
  const flat = flattenStages(stages);
  const results = Object.fromEntries(flat.map((stage) => [stage.id, resultOf(stage, context)]));
  const base = stateShape({ ...known, results });
  const bounds = listBounds(flat, base, { root: context.root, memories: known.memories });
  return Object.keys(bounds).length === 0 ? base : stateShape({ ...known, results, bounds });
}

const plainResult: Shape = resultShape();
const items: Shape = itemResultsShape({ kind: "any" });

function resultOf(stage: ReadStage, context: CompileContext): Shape {
  if (stage.isUnknown) return { kind: "any" };
  if (stage.definition.result === "list") return items;
  const agent = agentOf(stage, context);
  return agent === undefined ? plainResult : resultShape(agentValue(stage, agent));
}
