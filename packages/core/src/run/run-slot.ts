import type { RunState, StageResult, StateChange } from "../contracts/state.ts";
import type { SlotDeclaration } from "../contracts/slots.ts";
import type { Branch, SlotResult } from "../contracts/strategy-context.ts";
import { AbortError, InternalError, LimitError, messageOf } from "../errors/loopwright-error.ts";
import type { CompiledSequence } from "../program/program.ts";
import { vouchFor } from "./adopt.ts";
import { type BranchWork, isLimitOfRun } from "./fan-out.ts";
import { NO_RESULT } from "./neutral-state.ts";
import { type Frame, StopSignal } from "./run-scope.ts";
import { saveChange } from "./save-change.ts";

/** Runs a slot, or one child of a slot with several, on the frame's own state. */
export async function runSlot(frame: Frame, slot: string): Promise<void> {
  const sequence = sequenceOf(frame, slot);
  const before = frame.state;
  const leave = showSiblings(frame, slot);
  try {
    await frame.run.runStages(frame, sequence);
    note(frame, slot, before, "done");
  } catch (thrown) {
    note(frame, slot, before, "failed");
    throw thrown;
  } finally {
    leave();
  }
}

/** Runs a slot whose failure is a result; a limit of a stage inside it is such a failure, one of the run is not. */
export async function tryRunSlot(frame: Frame, key: string, slot: string): Promise<SlotResult> {
  const before = frame.state;
  const ended = (ok: boolean, reason: string): SlotResult =>
    vouchFor(frame, before, { key, ok, reason }, frame);
  try {
    await runSlot(frame, slot);
    return ended(true, "");
  } catch (thrown) {
    const isLocal = thrown instanceof LimitError && !isLimitOfRun(frame, thrown);
    if (frame.signal.aborted || (endsMore(thrown) && !isLocal)) throw thrown;
    return ended(false, messageOf(thrown));
  }
}

/** A branch that runs a slot. */
export function slotBranch(
  branch: Branch<Readonly<Record<string, SlotDeclaration>>>,
  slot: string,
): BranchWork {
  return { ...startOf(branch), work: (frame) => runSlot(frame, slot) };
}

/** What a branch is given before its work begins. */
export function startOf(
  branch: Branch<Readonly<Record<string, SlotDeclaration>>>,
): Omit<BranchWork, "work"> {
  const { key, from, bind, task, part } = branch;
  return {
    key,
    ...(from === undefined ? {} : { from }),
    ...(bind === undefined ? {} : { bind }),
    ...(task === undefined ? {} : { task }),
    ...(part === undefined ? {} : { part }),
  };
}

/** Keeps what a function on a context of its own changed. */
export function keepChange(frame: Frame, change: StateChange | void | undefined): void {
  if (change) saveChange(frame, change);
}

/** The names of the children of a slot that has several, in the order of the spec. */
export function slotNames(frame: Frame, slot: string): readonly string[] {
  const prefix = `${slot}.`;
  return Object.keys(frame.stage?.slots ?? {}).flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
}

/** True for what a strategy may not turn into data: an abort, a limit, a stop, a broken contract. */
export function endsMore(thrown: unknown): boolean {
  return (
    thrown instanceof AbortError ||
    thrown instanceof LimitError ||
    thrown instanceof StopSignal ||
    thrown instanceof InternalError
  );
}

function sequenceOf(frame: Frame, slot: string): CompiledSequence {
  const sequence = frame.stage?.slots[slot];
  if (sequence === undefined)
    throw new InternalError(
      "contract-broken",
      `stage \`${frame.scope.stage}\` has nothing in its slot \`${slot}\``,
    );
  return sequence;
}

/** Notes what a child of a slot with several came to, for a slot that sees it. */
function note(frame: Frame, slot: string, before: RunState, outcome: "done" | "failed"): void {
  if (!slot.includes(".")) return;
  const { state } = frame;
  const last = frame.stage?.slots[slot]?.stages.at(-1)?.id ?? "";
  const own = state.results[last] === before.results[last] ? undefined : state.results[last];
  const hasAnswered = state.answer.revision > before.answer.revision;
  const answer = hasAnswered ? state.answer : NO_RESULT.answer;
  frame.children.set(slot, {
    ran: true,
    outcome,
    answer,
    text: answer.text,
    value: hasAnswered ? answer.value : (own?.value ?? null),
    answered: own?.answered ?? false,
    reply: own?.reply ?? "",
  });
}

/** Puts the results of another slot's children under their names while a slot that sees them runs; returns the way back. */
function showSiblings(frame: Frame, slot: string): () => void {
  const other = frame.stage?.definition.slots[slot]?.seesResultsOf;
  if (other === undefined) return () => undefined;
  const before = frame.state.results;
  const names = slotNames(frame, other);
  const shown = names.map((name): readonly [string, StageResult] => [
    name,
    frame.children.get(`${other}.${name}`) ?? NO_RESULT,
  ]);
  frame.state = { ...frame.state, results: { ...before, ...Object.fromEntries(shown) } };
  return () => {
    const hidden = new Set(names);
    const rest = Object.entries(frame.state.results).filter(([id]) => !hidden.has(id));
    const back = names.flatMap((name) =>
      before[name] === undefined ? [] : [[name, before[name]] as const],
    );
    frame.state = { ...frame.state, results: Object.fromEntries([...rest, ...back]) };
  };
}
