import type { CheckContext } from "../contracts/check.ts";
import { callTools } from "../tools/call-tools.ts";
import type { Frame } from "./run-scope.ts";

/** Lets checks call tools: each time below a key of its own, under the policies of the stage. */
export function actingChecks(frame: Frame, key: string): CheckContext["callTools"] {
  let count = 0;
  return (calls) => {
    const own = `${key}/tools:${count++}`;
    const asked = calls.map(({ tool, input }, index) => ({
      id: `${own}:${index}`,
      name: tool,
      arguments: JSON.stringify(input),
    }));
    return callTools(frame, own, asked);
  };
}
