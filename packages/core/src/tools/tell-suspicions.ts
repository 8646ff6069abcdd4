import type { Observation } from "../contracts/state.ts";
import type { Scope } from "../events/scope.ts";
import type { Frame } from "../run/run-scope.ts";
import { suspectedKinds } from "./suspected-kinds.ts";

/** Tells which results of tools look like attempts to steer the model; nothing else is done about them. */
export function tellSuspicions(
  frame: Frame,
  observations: readonly Observation[],
  scope: Scope,
): void {
  const { bus } = frame.run;
  if (!bus.hears("injection.suspected")) return;
  for (const { id, tool, content } of observations) {
    const kinds = suspectedKinds(content);
    if (kinds.length > 0) bus.emit("injection.suspected", { tool, observation: id, kinds }, scope);
  }
}
