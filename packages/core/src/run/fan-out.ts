import pLimit from "p-limit";
import type { RunState, StateChange } from "../contracts/state.ts";
import type { SlotResult } from "../contracts/strategy.ts";
import { AbortError, InternalError, LimitError, messageOf } from "../errors/loopwright-error.ts";
import { childFrame, closeFrame, closeStep, type Frame, StopSignal } from "./run-scope.ts";

/** One branch as core runs it: what happens in its frame. */
export interface BranchWork {
  readonly key: string;
  readonly from?: StateChange;
  readonly work: (frame: Frame) => Promise<void>;
}

/** How a fan-out is bounded. */
export interface FanOutSettings {
  readonly maxParallel?: number;
  readonly stopWhen?: (finished: readonly SlotResult[]) => boolean;
}

const defaultParallel = 4;
/** The reason of branches that were not needed any more. */
const STOPPED = "stopped: enough branches have finished";

/** Runs branches concurrently, each in a frame of its own; a failed branch is a result, an abort ends them all. */
export async function fanOut(
  frame: Frame,
  key: string,
  branches: readonly BranchWork[],
  settings: FanOutSettings,
  save: (frame: Frame, change: StateChange) => void,
): Promise<readonly SlotResult[]> {
  refuseDoubleKeys(branches);
  const limit = pLimit(settings.maxParallel ?? defaultParallel);
  const stop = new AbortController();
  const signal = AbortSignal.any([frame.signal, stop.signal]);
  const finished = new Map<number, SlotResult>();
  const runs = branches.map((branch, index) =>
    limit(async () => {
      const child = childFrame(frame, {
        key: `${key}/${branch.key}`,
        branch: `${frame.branch}${branch.key}.`,
        signal,
      });
      const result = stop.signal.aborted
        ? ended(branch.key, child.state, STOPPED)
        : await runBranch(frame, child, branch, save, stop.signal);
      finished.set(index, result);
      if (settings.stopWhen?.(prefixOf(finished)) === true) stop.abort(new AbortError(STOPPED));
      return result;
    }),
  );
  const settled = await Promise.allSettled(runs);
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

async function runBranch(
  parent: Frame,
  child: Frame,
  branch: BranchWork,
  save: (frame: Frame, change: StateChange) => void,
  stopped: AbortSignal,
): Promise<SlotResult> {
  try {
    if (branch.from !== undefined) save(child, branch.from);
    await branch.work(child);
    const letGo = await closeFrame(child);
    if (letGo !== undefined) throw letGo;
    closeStep(child, "done");
    if (child.limitedBy !== undefined) parent.limitedBy = child.limitedBy;
    return { key: branch.key, ok: true, reason: "", state: child.state };
  } catch (thrown) {
    await closeFrame(child);
    closeStep(child, child.signal.aborted ? "aborted" : "failed");
    if (stopped.aborted && !parent.signal.aborted) return ended(branch.key, child.state, STOPPED);
    if (parent.signal.aborted || thrown instanceof StopSignal || thrown instanceof InternalError)
      throw thrown;
    if (thrown instanceof LimitError) parent.limitedBy = thrown;
    return ended(branch.key, child.state, messageOf(thrown));
  }
}

function ended(key: string, state: RunState, reason: string): SlotResult {
  return { key, ok: false, reason, state };
}

/** The results of the branches that finished without a gap from the first. */
function prefixOf(finished: ReadonlyMap<number, SlotResult>): readonly SlotResult[] {
  const prefix: SlotResult[] = [];
  for (let index = 0; ; index++) {
    const result = finished.get(index);
    if (result === undefined) return prefix;
    prefix.push(result);
  }
}

function refuseDoubleKeys(branches: readonly BranchWork[]): void {
  const keys = new Set(branches.map((branch) => branch.key));
  if (keys.size !== branches.length)
    throw new InternalError("contract-broken", "two branches of one fan-out have the same key");
}

/** Merges branches into a state: lists in branch order, single fields, results and the thread of the picked one alone. */
export function adoptBranches(
  base: RunState,
  results: readonly SlotResult[],
  pick: SlotResult | undefined,
): RunState {
  const added = <T>(list: (state: RunState) => readonly T[]): readonly T[] => [
    ...list(base),
    ...results.flatMap((result) => list(result.state).slice(list(base).length)),
  ];
  const lists = {
    observations: added((state) => state.observations),
    candidates: added((state) => state.candidates),
    lessons: added((state) => state.lessons),
  };
  if (pick === undefined) return { ...base, ...lists };
  const { plan, planRevision, verdict, thread, results: stageResults } = pick.state;
  const isNewAnswer = pick.state.answer.revision > base.answer.revision;
  const answer = isNewAnswer
    ? { ...pick.state.answer, revision: base.answer.revision + 1 }
    : base.answer;
  const judged =
    verdict.answerRevision === pick.state.answer.revision
      ? { ...verdict, answerRevision: answer.revision }
      : verdict;
  return {
    ...base,
    ...lists,
    plan,
    planRevision,
    answer,
    verdict: judged,
    results: stageResults,
    ...(thread === undefined ? {} : { thread }),
  };
}
