import type { Program } from "@loopwright/core";

/** The models that a run may call and whose price nobody has told, those of inner agents too. */
export function unpricedModels(program: Program): readonly string[] {
  const own = program.models.flatMap((model) => [model, ...model.fallback]);
  const names = own.filter(({ price }) => price === undefined).map(({ id }) => id);
  const inner = [...(program.agents?.values() ?? [])].flatMap(unpricedModels);
  return [...new Set([...names, ...inner])];
}
