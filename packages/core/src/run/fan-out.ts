import pLimit from "p-limit";
import type { JsonObject } from "../contracts/json.ts";
import type { RunState, StateChange } from "../contracts/state.ts";
import type { SlotResult } from "../contracts/strategy-context.ts";
import { AbortError, InternalError, LimitError, messageOf } from "../errors/loopwright-error.ts";
import { adopt, vouchFor } from "./adopt.ts";
import { followSignal } from "./follow-signal.ts";
import {
  childFrame,
  closeFrame,
  closeStep,
  type Frame,
  type RunScope,
  StopSignal,
} from "./run-scope.ts";
import { saveChange } from "./save-change.ts";

/** One branch as core runs it: what happens in its frame. */
export interface BranchWork {
  readonly key: string;
  readonly from?: StateChange;
  /** Further names that expressions and templates inside see. */
  readonly bind?: JsonObject;
  /** Stands in for the task of the run. */
  readonly task?: string;
  /** Says which part of the task of the run the branch does. */
  readonly part?: string;
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
/** The reason of branches beside one that ended all of them. */
const ENDED = "stopped: another branch has ended the fan-out";

/**
 * Runs branches concurrently, each in a frame of its own. A failed branch is a result; an abort, a stop or a broken
 * contract ends all branches and goes up, and what they have found is kept.
 */
export async function fanOut(
  frame: Frame,
  key: string,
  branches: readonly BranchWork[],
  settings: FanOutSettings,
): Promise<readonly SlotResult[]> {
  refuseDoubleKeys(branches);
  const before = frame.state;
  const maxParallel = settings.maxParallel ?? defaultParallel;
  const limit = pLimit(maxParallel);
  const closeLanes = frame.ledger.openLanes(
    Math.max(0, Math.min(maxParallel, branches.length) - 1),
  );
  const stop = new AbortController();
  const { controller, release } = followSignal(frame.signal, stop.signal);
  const finished = new Map<number, SlotResult>();
  const enders: { readonly index: number; readonly thrown: unknown }[] = [];
  const children = openFrames(frame, key, branches, controller.signal);
  const run = async (branch: BranchWork, child: Frame, index: number): Promise<void> => {
    const keep = (end: BranchEnd): void => {
      finished.set(index, vouchFor(frame, before, { key: branch.key, ...end }, child));
    };
    try {
      keep(await runBranch(frame, child, branch, stop.signal));
      if (stop.signal.aborted || settings.stopWhen?.(prefixOf(finished)) !== true) return;
      stop.abort(new AbortError(STOPPED));
    } catch (thrown) {
      if (!finished.has(index)) keep({ ok: false, reason: messageOf(thrown) });
      enders.push({ index, thrown });
      stop.abort(new AbortError(ENDED));
    }
  };
  await Promise.all(
    branches.map((branch, index) => limit(() => run(branch, children[index] as Frame, index))),
  );
  closeLanes();
  release();
  const results = prefixOf(finished);
  const [ender] = enders;
  if (ender === undefined) return results;
  adopt(frame, results, isEnding(ender.thrown) ? results[ender.index] : undefined);
  throw ender.thrown;
}

function openFrames(
  parent: Frame,
  key: string,
  branches: readonly BranchWork[],
  signal: AbortSignal,
): readonly Frame[] {
  return branches.map((branch) =>
    childFrame(parent, {
      key: `${key}/${branch.key}`,
      branch: newPrefix(parent, branch.key),
      signal,
      state: withTask(parent.state, branch),
      ...(branch.bind === undefined ? {} : { bindings: { ...parent.bindings, ...branch.bind } }),
    }),
  );
}

/** A branch with a task of its own does not go on with the talk about another one. */
function withTask(state: RunState, { task: text, part }: BranchWork): RunState {
  if (text === undefined && part === undefined) return state;
  const { thread: _, ...rest } = state;
  const own = { text: text ?? state.task.text, ...(part === undefined ? {} : { part }) };
  return { ...rest, task: { ...state.task, ...own } };
}

type BranchEnd = Pick<SlotResult, "ok" | "reason">;

async function runBranch(
  parent: Frame,
  child: Frame,
  branch: BranchWork,
  stopped: AbortSignal,
): Promise<BranchEnd> {
  if (stopped.aborted) return { ok: false, reason: messageOf(stopped.reason) };
  try {
    if (branch.from !== undefined) saveChange(child, branch.from);
    await branch.work(child);
    const letGo = await closeFrame(child);
    if (letGo !== undefined) throw letGo;
    closeStep(child, "done");
    if (isLimitOfRun(child, child.limitedBy)) parent.limitedBy = child.limitedBy;
    return { ok: true, reason: "" };
  } catch (thrown) {
    await closeFrame(child);
    closeStep(child, child.signal.aborted ? "aborted" : "failed");
    if (stopped.aborted && !parent.signal.aborted)
      return { ok: false, reason: messageOf(stopped.reason) };
    if (parent.signal.aborted || isEnding(thrown)) throw thrown;
    if (isLimitOfRun(child, thrown)) parent.limitedBy = thrown;
    return { ok: false, reason: messageOf(thrown) };
  }
}

/** True for what one branch may do to all the others. */
function isEnding(thrown: unknown): boolean {
  return thrown instanceof StopSignal || thrown instanceof InternalError;
}

/** True for a limit that ends the work of the whole run; every other one belongs to a stage or a branch. */
export function isLimitOfRun(frame: Frame, thrown: unknown): thrown is LimitError {
  if (!(thrown instanceof LimitError)) return false;
  return frame.run.workSignal.aborted || thrown.details["of"] === "run";
}

const prefixes = new WeakMap<RunScope, Set<string>>();

/** What the ids of a branch's observations begin with; numbered where an earlier fan-out used it, so that no two observations of a run share an id. */
export function newPrefix(frame: Frame, key: string): string {
  const taken = prefixes.get(frame.run) ?? new Set<string>();
  prefixes.set(frame.run, taken);
  let prefix = `${frame.branch}${key}.`;
  for (let count = 2; taken.has(prefix); count++) prefix = `${frame.branch}${count}.${key}.`;
  taken.add(prefix);
  return prefix;
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
