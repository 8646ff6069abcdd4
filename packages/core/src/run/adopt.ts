import type { RunState } from "../contracts/state.ts";
import type { SlotResult } from "../contracts/strategy-context.ts";
import { InternalError } from "../errors/loopwright-error.ts";
import { mergeProgress } from "./merge-progress.ts";
import type { Frame } from "./run-scope.ts";
import { tellIn } from "./save-change.ts";

/** Where a result comes from: core vouches for its state, and a strategy can't make one up. */
interface Origin {
  readonly frame: Frame;
  /** The state of the frame before the work of the result began. */
  readonly before: RunState;
  /** The frame that the work was done in: the branch's, or the one that adopts. */
  readonly of: Frame;
  /** True when the lists of the result are in the state of the frame. */
  isAdopted: boolean;
}

const origins = new WeakMap<SlotResult, Origin>();

/** Vouches for what the work in a frame came to, so that the frame around it may adopt it; they are one where the work was done on its own state. */
export function vouchFor(
  frame: Frame,
  before: RunState,
  end: Omit<SlotResult, "state" | "cutShort">,
  of: Frame,
): SlotResult {
  const { state } = of;
  const cutShort = isAnsweredShort(of, before) ? of.cutShort?.text : undefined;
  const result = { ...end, state, ...(cutShort === undefined ? {} : { cutShort }) };
  Object.freeze(state);
  Object.freeze(result);
  origins.set(result, { frame, before, of, isAdopted: of === frame });
  return result;
}

/** True where the answer that work has given was given before the work was done. */
function isAnsweredShort({ state, cutShort }: Frame, before: RunState): boolean {
  const { revision } = state.answer;
  return revision > before.answer.revision && cutShort?.revision === revision;
}

/**
 * Merges results into the state of the frame: lists in order and each once, and what became of the steps of its plan;
 * single fields, stage results, the thread and who makes the plan again of the picked one alone.
 */
export function adopt(frame: Frame, results: readonly SlotResult[], pick?: SlotResult): void {
  const all = pick === undefined || results.includes(pick) ? results : [...results, pick];
  const known = all.map((result) => ({ state: result.state, origin: originOf(frame, result) }));
  for (const { state, origin } of known) {
    if (origin.isAdopted) continue;
    origin.isAdopted = true;
    addLists(frame, state, origin);
    mergeProgress(frame, origin.before, state);
  }
  if (pick !== undefined) takePicked(frame, originOf(frame, pick), pick);
}

/** Takes the single fields of the picked work, and with its answer or plan what belongs to them. */
function takePicked(frame: Frame, { before, of }: Origin, pick: SlotResult): void {
  const was = frame.state;
  frame.state = withPicked(was, before, pick.state);
  const { answer, planRevision } = frame.state;
  if (planRevision !== was.planRevision)
    frame.planner.taken = of.planner.taken ?? frame.planner.taken;
  if (answer === was.answer) return;
  if (of.cutShort !== undefined && pick.cutShort !== undefined)
    frame.cutShort = { ...of.cutShort, revision: answer.revision };
  const { reasoning: _, unsolvableReason: __, ...told } = answer;
  tellIn(frame)(was.answer.revision === 0 ? "answer.given" : "answer.revised", told);
}

function originOf(frame: Frame, result: SlotResult): Origin {
  const origin = origins.get(result);
  if (origin?.frame === frame) return origin;
  throw new InternalError(
    "contract-broken",
    `stage \`${frame.scope.stage}\` adopts a result that no verb of it returned; adopt takes what its own \`fanOut\` and \`tryRunSlot\` return, as it is`,
  );
}

function addLists(frame: Frame, state: RunState, { before }: Origin): void {
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
  // Progress on the plan that was there is no other plan: it is merged step by step.
  const isPlanNew = isNew("plan") && picked.planRevision > before.planRevision;
  const answerGap = isNew("answer") ? now.answer.revision - before.answer.revision : 0;
  const planGap = isPlanNew ? now.planRevision - before.planRevision : 0;
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
    ...(isPlanNew && { plan: picked.plan, planRevision: planAt(picked.planRevision) }),
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
