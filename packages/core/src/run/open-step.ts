import { childScope, closeStep, type Frame } from "./run-scope.ts";

/** Opens the next turn of a strategy's loop, and ends the one before. */
export function openStep(frame: Frame, index: number, max: number): void {
  closeStep(frame, "done");
  const { counters, key } = frame;
  const times = (counters.get(`step:${index}`) ?? 0) + 1;
  counters.set(`step:${index}`, times);
  const again = times === 1 ? "" : `.${times}`;
  const scope = childScope(frame, `${key}/step:${index}${again}`);
  frame.step = { index, scope };
  frame.run.bus.emit("step.start", { index, max }, scope);
}
