import type { StateChange } from "../contracts/state.ts";
import { applyChange, type Tell } from "./apply-change.ts";
import { childScope, type Frame } from "./run-scope.ts";

/** Applies a change to the frame's state and tells the facts in it. */
export function saveChange(frame: Frame, change: StateChange): void {
  const stage = frame.scope.stage;
  const model = frame.stage?.models["default"]?.id ?? "";
  frame.state = applyChange(frame.state, change, { stage, model }, tellIn(frame));
  if (change.result === undefined || frame.stage === undefined) return;
  const before = frame.state.results[frame.stage.id];
  if (before === undefined) return;
  frame.state = {
    ...frame.state,
    results: { ...frame.state.results, [frame.stage.id]: { ...before, ...change.result } },
  };
}

/** Tells facts about the state of a frame, inside its scope. */
export function tellIn(frame: Frame): Tell {
  return (name, data) => frame.run.bus.emit(name, data, childScope(frame, frame.key));
}
