import { definePrompt } from "../contracts/prompt.ts";
import type { Plan } from "../contracts/state.ts";
import type { ReplanRequest, Result } from "../contracts/strategy-context.ts";
import { isLoopwrightError, LimitError, messageOf } from "../errors/loopwright-error.ts";
import { say } from "./language-of.ts";
import { Ledger } from "./ledger.ts";
import {
  type AnyContext,
  type Replanner,
  childFrame,
  closeFrame,
  type Frame,
} from "./run-scope.ts";
import { endsMore } from "./run-slot.ts";
import { saveChange } from "./save-change.ts";

/** Makes the stage of a frame the one that is asked for another plan. */
export function offerReplan(frame: Frame, max: number, make: Replanner["replan"]): void {
  frame.planner.taken = { by: frame, left: max, replan: make };
}

/** Has the planner make another plan, in a frame of its own below the one that asks. */
export async function replan(
  frame: Frame,
  key: string,
  request: ReplanRequest,
  contextOf: (frame: Frame) => AnyContext,
): Promise<Result<Plan>> {
  const { taken } = frame.planner;
  if (taken === undefined) return { ok: false, reason: say(frame, NOBODY) };
  if (taken.left <= 0) return { ok: false, reason: say(frame, NONE_LEFT) };
  taken.left -= 1;
  const own = plannerFrame(frame, key, taken);
  try {
    const plan = await taken.replan(contextOf(own), request);
    saveChange(frame, { plan });
    return { ok: true, value: plan };
  } catch (thrown) {
    const isOfPlanner = thrown instanceof LimitError && !frame.ledger.hasRefused(thrown);
    if (frame.signal.aborted || (endsMore(thrown) && !isOfPlanner)) throw thrown;
    const code = isLoopwrightError(thrown) ? { code: thrown.code } : {};
    return { ok: false, reason: messageOf(thrown), ...code };
  } finally {
    await closeFrame(own);
  }
}

/** Below the frame that asks, as the stage that made the plan: what it spends is charged to the limits of both. */
function plannerFrame(frame: Frame, key: string, { by }: Replanner): Frame {
  const ledger = new Ledger({
    limits: {},
    parent: frame.ledger,
    beside: [by.ledger],
    onLimit: () => undefined,
  });
  const { stage, bindings } = by;
  return childFrame(frame, { key, ledger, bindings, ...(stage === undefined ? {} : { stage }) });
}

const NOBODY = definePrompt({
  en: "no stage here makes the plan again",
  zh: "这里没有可以重新制定计划的阶段",
});

const NONE_LEFT = definePrompt({
  en: "no further plan may be made",
  zh: "不能再制定新的计划",
});
