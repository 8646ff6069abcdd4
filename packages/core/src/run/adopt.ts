import type { RunState } from "../contracts/state.ts";
import type { SlotResult } from "../contracts/strategy-context.ts";
import { InternalError } from "../errors/loopwright-error.ts";
import type { Frame } from "./run-scope.ts";
import { tellIn } from "./save-change.ts";

/** Where a result comes from: core vouches for its state, and a strategy can't make one up. */
interface Origin {
  readonly frame: Frame;
  /** The state of the frame before the work of the result began. */
  readonly before: RunState;
  /** True when the lists of the result are in the state of the frame. */
  isAdopted: boolean;
}

const origins = new WeakMap<SlotResult, Origin>();

/** Vouches for a result, so that the frame may adopt it; `isAdopted` where the work was done on the frame's own state. */
export function vouchFor(
  frame: Frame,
  before: RunState,
  result: SlotResult,
  isAdopted: boolean,
): SlotResult {
  Object.freeze(result.state);
  Object.freeze(result);
  origins.set(result, { frame, before, isAdopted });
  return result;
}

/** Merges results into the state of the frame: lists in order and each once; single fields, stage results and the thread of the picked one alone. */
export function adopt(frame: Frame, results: readonly SlotResult[], pick?: SlotResult): void {
  const all = pick === undefined || results.includes(pick) ? results : [...results, pick];
  const known = all.map((result) => ({ state: result.state, origin: originOf(frame, result) }));
  for (const { state, origin } of known) addLists(frame, state, origin);
  if (pick === undefined) return;
  const was = frame.state.answer;
  frame.state = withPicked(frame.state, originOf(frame, pick).before, pick.state);
  const { answer } = frame.state;
  if (answer === was) return;
  const { reasoning: _, unsolvableReason: __, ...told } = answer;
  tellIn(frame)(was.revision === 0 ? "answer.given" : "answer.revised", told);
}

function originOf(frame: Frame, result: SlotResult): Origin {
  const origin = origins.get(result);
  if (origin?.frame === frame) return origin;
  throw new InternalError(
    "contract-broken",
    `stage \`${frame.scope.stage}\` adopts a result that no verb of it returned; adopt takes what its own \`fanOut\` and \`tryRunSlot\` return, as it is`,
  );
}

function addLists(frame: Frame, state: RunState, origin: Origin): void {
  if (origin.isAdopted) return;
  origin.isAdopted = true;
  const { before } = origin;
  const added = <T>(list: (of: RunState) => readonly T[]): readonly T[] =>
    Object.freeze([...list(frame.state), ...list(state).slice(list(before).length)]);
  frame.state = {
    ...frame.state,
    observations: added((of) => of.observations),
    candidates: added((of) => of.candidates),
    lessons: added((of) => of.lessons),
  };
}

/**
 * What the picked work changed, put over the state as it is now.
 *
 * Revisions go on from those of the picked work, so that its verdict and its thread stay about the answers they are
 * about; where the frame has gone on meanwhile, all of them move up by as much.
 */
function withPicked(now: RunState, before: RunState, picked: RunState): RunState {
  const isNew = (field: keyof RunState): boolean =>
    picked[field] !== before[field] && picked[field] !== now[field];
  const answerGap = isNew("answer") ? now.answer.revision - before.answer.revision : 0;
  const planGap = isNew("plan") ? now.planRevision - before.planRevision : 0;
  const answerAt = (revision: number): number =>
    revision > before.answer.revision ? revision + answerGap : revision;
  const planAt = (revision: number): number =>
    revision > before.planRevision ? revision + planGap : revision;

  const answer = isNew("answer") ? moved(picked.answer, answerAt) : now.answer;
  const verdict = isNew("verdict")
    ? { ...picked.verdict, answerRevision: answerAt(picked.verdict.answerRevision) }
    : now.verdict;
  const isStale = verdict.outcome !== "none" && verdict.answerRevision < answer.revision;
  const thread = isNew("thread") ? picked.thread : undefined;
  const seen = thread && {
    answerRevision: answerAt(thread.seen.answerRevision),
    verdictRevision: answerAt(thread.seen.verdictRevision),
    planRevision: planAt(thread.seen.planRevision),
  };
  return {
    ...now,
    ...(isNew("plan") && { plan: picked.plan, planRevision: planAt(picked.planRevision) }),
    answer,
    verdict: isStale ? { ...verdict, outcome: "stale" } : verdict,
    ...(thread && seen && { thread: { ...thread, seen } }),
    results: { ...now.results, ...newEntries(picked.results, before.results) },
  };
}

function moved<T extends { readonly revision: number }>(one: T, at: (revision: number) => number) {
  const revision = at(one.revision);
  return revision === one.revision ? one : { ...one, revision };
}

function newEntries<T>(
  picked: Readonly<Record<string, T>>,
  before: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(picked).filter(([id, one]) => one !== before[id]));
}
