import type { ToolDescription } from "../contracts/provider.ts";
import type { GenerateRequest } from "../contracts/strategy-context.ts";
import { InternalError } from "../errors/loopwright-error.ts";
import type { Frame } from "./run-scope.ts";

/** What a model may call: the tools of its stage where they are on, and what the strategy answers itself. */
export function offeredCalls(
  frame: Frame,
  { tools: isOn, actions = [] }: GenerateRequest,
  tools: readonly ToolDescription[],
): readonly ToolDescription[] {
  const clash = actions.find(({ name }) => tools.some((tool) => tool.name === name));
  if (clash !== undefined)
    throw new InternalError(
      "contract-broken",
      `stage \`${frame.scope.stage}\` offers an action called \`${clash.name}\`, which is a tool of the stage`,
    );
  const offered = isOn === true ? tools : [];
  return [...offered, ...actions].map(({ name, description, input }) => ({
    name,
    description,
    input,
  }));
}
