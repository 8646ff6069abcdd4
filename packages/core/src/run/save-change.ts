import type { StateChange } from "../contracts/state.ts";
import { misfits } from "../validation/json-validator.ts";
import { applyChange, type Tell } from "./apply-change.ts";
import { childScope, type Frame } from "./run-scope.ts";

/** Applies a change to the frame's state and tells the facts in it. */
export function saveChange(frame: Frame, change: StateChange): void {
  const stage = frame.scope.stage;
  const model = frame.stage?.models["default"]?.id ?? "";
  frame.state = applyChange(frame.state, fitted(frame, change), { stage, model }, tellIn(frame));
  if (change.result === undefined || frame.stage === undefined) return;
  const before = frame.state.results[frame.stage.id];
  if (before === undefined) return;
  const { cutShort, ...result } = change.result;
  if (cutShort !== undefined)
    frame.cutShort = {
      text: cutShort,
      why: `the answer was cut short: in \`${frame.stage.id}\` ${cutShort}`,
      revision: frame.state.answer.revision,
    };
  frame.hasValue ||= result.value !== undefined;
  frame.state = {
    ...frame.state,
    results: { ...frame.state.results, [frame.stage.id]: { ...before, ...result } },
  };
}

/** A typed value that is not of the declared output is left out of an answer: who reads it may rely on its type. */
function fitted(frame: Frame, change: StateChange): StateChange {
  const { output } = frame.run.linked.program;
  const { answer } = change;
  if (output === undefined || answer?.value === undefined || answer.value === null) return change;
  if (misfits(answer.value, output.schema).length === 0) return change;
  const repairs = ["left out a value that is not of the declared output"];
  frame.run.bus.emit("output.repaired", { repairs }, childScope(frame, frame.key));
  return { ...change, answer: { ...answer, value: null } };
}

/** Tells facts about the state of a frame, inside its scope. */
export function tellIn(frame: Frame): Tell {
  return (name, data) => frame.run.bus.emit(name, data, childScope(frame, frame.key));
}
