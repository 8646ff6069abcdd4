import { type ObjectShape, type Shape, shapeFromJsonSchema } from "../spec/text/shape.ts";
import { agentOf, agentValue } from "./compile-agents.ts";
import type { CompileContext } from "./compile-context.ts";
import { askSilently, listBounds } from "./list-bounds.ts";
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
  const settings = { root: context.root, memories: known.memories };
  const bounds = listBounds(flat, base, settings);
  const own = ownValues(flat, base, settings);
  if (Object.keys(bounds).length === 0 && Object.keys(own).length === 0) return base;
  return stateShape({ ...known, results: { ...results, ...own }, bounds });
}

/** The results of stages whose strategy says, by its options, what its value is. */
function ownValues(
  stages: readonly ReadStage[],
  shape: ObjectShape,
  settings: Parameters<typeof askSilently>[2],
): Readonly<Record<string, Shape>> {
  const found = stages.flatMap((stage) => {
    const { resultValue } = stage.definition;
    if (resultValue === undefined) return [];
    const schema = askSilently(stage, shape, settings, (options) => resultValue(options as never));
    return schema === undefined
      ? []
      : [[stage.id, resultShape(shapeFromJsonSchema(schema))] as const];
  });
  return Object.fromEntries(found);
}

const plainResult: Shape = resultShape();
const items: Shape = itemResultsShape({ kind: "any" });

function resultOf(stage: ReadStage, context: CompileContext): Shape {
  if (stage.isUnknown) return { kind: "any" };
  if (stage.definition.result === "list") return items;
  const agent = agentOf(stage, context);
  return agent === undefined ? plainResult : resultShape(agentValue(stage, agent));
}
