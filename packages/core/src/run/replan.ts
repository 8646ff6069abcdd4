import type { Plan } from "../contracts/state.ts";
import type { ReplanRequest, Result } from "../contracts/strategy-context.ts";
import { isLoopwrightError, messageOf } from "../errors/loopwright-error.ts";
import type { AnyContext, Replanner } from "./planner-seat.ts";
import { childFrame, closeFrame, type Frame } from "./run-scope.ts";
import { endsMore } from "./run-slot.ts";
import { saveChange } from "./save-change.ts";

/** Makes the stage of a frame the one that is asked for another plan. */
export function offerReplan(frame: Frame, max: number, make: Replanner["replan"]): void {
  const { stage } = frame;
  if (stage !== undefined) frame.planner.taken = { stage, left: max, replan: make };
}

/** Has the planner make another plan, in a frame of its own below the one that asks. */
export async function replan(
  frame: Frame,
  key: string,
  request: ReplanRequest,
  contextOf: (frame: Frame) => AnyContext,
): Promise<Result<Plan>> {
  const { taken } = frame.planner;
  if (taken === undefined) return { ok: false, reason: "no stage here makes plans" };
  if (taken.left <= 0) return { ok: false, reason: "no further plan may be made" };
  taken.left -= 1;
  const own = childFrame(frame, { key, stage: taken.stage });
  try {
    const plan = await taken.replan(contextOf(own), request);
    saveChange(frame, { plan });
    return { ok: true, value: plan };
  } catch (thrown) {
    if (endsMore(thrown) || frame.signal.aborted) throw thrown;
    const code = isLoopwrightError(thrown) ? { code: thrown.code } : {};
    return { ok: false, reason: messageOf(thrown), ...code };
  } finally {
    await closeFrame(own);
  }
}
