import type { ModelAbilities, StageTool } from "../contracts/strategy-context.ts";
import { policyOf, stageTools } from "../tools/stage-tool.ts";
import { modelFor } from "./model-for.ts";
import type { Frame } from "./run-scope.ts";

/** The tools that a stage may call, as a strategy and a model see them. */
export function describeTools(frame: Frame): readonly StageTool[] {
  return stageTools(frame).map((entry) => {
    const { name, wireName, description, input, definition } = entry;
    return {
      name: wireName,
      description,
      input,
      tool: name,
      use: definition.id,
      effect: definition.effect,
      isThought: definition.thought === true,
      polls: policyOf(frame, entry).polls === true,
    };
  });
}

/** What the model that speaks with a voice can do; what the spec says of it stands above what its endpoint says. */
export function abilitiesOf(frame: Frame, voice: string): ModelAbilities {
  const entry = modelFor(frame, voice);
  const { instances } = frame.run.linked;
  const { tools, structured } = instances.provider(entry).capabilities(entry.model);
  return { tools, structured: entry.structured ?? structured };
}
