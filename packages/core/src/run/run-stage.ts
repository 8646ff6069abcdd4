import type { CompiledSequence, CompiledStage } from "../program/program.ts";
import type { ScopeOutcome } from "../contracts/event.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { RunState, StageResult, StateChange } from "../contracts/state.ts";
import { AbortError, LimitError } from "../errors/loopwright-error.ts";
import { faultOf } from "./call-fault.ts";
import { evaluateIn } from "./compute.ts";
import { isLimitOfRun } from "./fan-out.ts";
import { followSignal } from "./follow-signal.ts";
import { Ledger } from "./ledger.ts";
import { hearInTask } from "./hear-messages.ts";
import { NO_RESULT } from "./neutral-state.ts";
import { earlyTemplates, renderOptions } from "./render-options.ts";
import { RunClock } from "./run-clock.ts";
import {
  childFrame,
  closeFrame,
  closeStep,
  type Frame,
  type OnEnded,
  StopSignal,
} from "./run-scope.ts";
import { listStageTools } from "../tools/stage-tool.ts";
import { saveChange } from "./save-change.ts";
import { stageContext } from "./stage-context.ts";

/** Runs stages one after the other; after a failure or a limit only those marked `always`; then throws what ended it. */
export async function runSequence(
  parent: Frame,
  sequence: CompiledSequence,
  onEnded?: OnEnded,
): Promise<void> {
  let ended: { readonly by: unknown } | undefined;
  for (const stage of sequence.stages) {
    if (ended !== undefined && !(stage.always && leavesRoomForAlways(ended.by))) continue;
    try {
      await runStage(parent, stage);
    } catch (thrown) {
      // What an `always` stage throws after the end is told by its own stage.end.
      if (ended !== undefined) continue;
      ended = { by: thrown };
      await onEnded?.(thrown);
    }
  }
  if (ended !== undefined) throw ended.by;
}

function leavesRoomForAlways(ender: unknown): boolean {
  return !(ender instanceof AbortError) && !(ender instanceof StopSignal);
}

/** Runs one stage in a frame of its own; partial work reaches the parent on every path. */
async function runStage(parent: Frame, stage: CompiledStage): Promise<void> {
  const count = parent.counters.get(stage.id) ?? 0;
  parent.counters.set(stage.id, count + 1);
  const { frame, close } = openFrame(parent, stage, `${parent.key}/${stage.id}:${count}`);
  const { bus } = frame.run;
  bus.emit("stage.start", { strategy: stage.definition.id, path: stage.path }, frame.scope);
  const end = (outcome: ScopeOutcome, thrown?: unknown): void => {
    closeStep(frame, outcome);
    close();
    frame.state = withResult(frame, stage.id, outcome, parent.state.answer.revision);
    parent.state = frame.state;
    parent.cutShort = frame.cutShort ?? parent.cutShort;
    bus.emit(
      "stage.end",
      {
        strategy: stage.definition.id,
        outcome,
        ...(thrown === undefined ? {} : { fault: faultOf(thrown) }),
      },
      frame.scope,
    );
  };
  try {
    frame.signal.throwIfAborted();
    frame.run.live.arrive(frame.key, () => frame.scope);
    if (frame.run.switches.isStageOff(stage.id) || !isWanted(frame, stage)) return end("skipped");
    hearInTask(frame);
    await runStrategy(frame, stage);
    end("done");
  } catch (thrown) {
    await closeFrame(frame);
    const ender = enderOf(frame, thrown);
    if (ender instanceof StopSignal) {
      end("done");
      throw ender;
    }
    end(outcomeOf(ender), ender);
    if (stage.onError === "continue" && isOwnFailure(frame, ender)) return;
    throw ender;
  }
}

/** What ended a stage: the signal it works under, whatever its strategy made of that; a limit of a branch; its own fault. */
function enderOf(frame: Frame, thrown: unknown): unknown {
  return frame.signal.aborted ? frame.signal.reason : (frame.limitedBy ?? thrown);
}

/** True when the failure belongs to the stage: not an abort, and not a limit of the whole run. */
function isOwnFailure(frame: Frame, ender: unknown): boolean {
  if (ender instanceof AbortError) return false;
  return !isLimitOfRun(frame, ender);
}

async function runStrategy(frame: Frame, stage: CompiledStage): Promise<void> {
  if (stage.sets !== undefined) await listStageTools(frame);
  const options: JsonObject = renderOptions(frame, stage.options, earlyTemplates(stage));
  const services = frame.run.linked.instances.services(stage);
  const run = stage.definition.run as (
    state: RunState,
    ...rest: unknown[]
  ) => Promise<StateChange | void>;
  const change = await run(frame.state, stageContext(frame), options, services);
  const letGo = await closeFrame(frame);
  if (letGo !== undefined) throw letGo;
  if (change) saveChange(frame, change);
  if (frame.limitedBy !== undefined) throw frame.limitedBy;
}

function isWanted(frame: Frame, stage: CompiledStage): boolean {
  return stage.when === undefined || evaluateIn(frame, stage.when) === true;
}

function openFrame(
  parent: Frame,
  stage: CompiledStage,
  key: string,
): { readonly frame: Frame; readonly close: () => void } {
  const { limits } = stage;
  const purpose = stage.always && parent.purpose === "work" ? "always" : parent.purpose;
  const base = { key, stage, purpose, isStage: true };
  const signal =
    purpose === "always" && parent.purpose === "work" ? parent.run.endSignal : parent.signal;
  if (Object.keys(limits).length === 0)
    return { frame: childFrame(parent, { ...base, signal }), close: () => undefined };
  const onLimit = (limit: string, soft: boolean, used: number, max: number): void =>
    parent.run.bus.emit(
      "limit.reached",
      { limit: `stages.${stage.id}.${limit}`, soft, used, max },
      parent.scope,
    );
  const ledger: Ledger = new Ledger({
    limits,
    parent: parent.ledger,
    onLimit,
    isTimeNear: () => clock.isNear(),
  });
  const clock = new RunClock({
    clock: parent.run.linked.clock,
    limits,
    onLimit: (limit, soft, used, max) => ledger.tellTime(limit, soft, used, max),
    stage: stage.id,
  });
  const own = followSignal(signal, clock.workSignal);
  const { clocks, people } = parent.run;
  clocks.add(clock);
  clock.start();
  if (people.pending().length > 0) clock.waiting(true);
  const close = (): void => {
    clock.stop();
    clocks.delete(clock);
    own.release();
  };
  return { frame: childFrame(parent, { ...base, ledger, signal: own.controller.signal }), close };
}

function withResult(
  { state, hasValue }: Frame,
  id: string,
  outcome: ScopeOutcome,
  answerBefore: number,
): RunState {
  const before: StageResult = state.results[id] ?? NO_RESULT;
  const hasAnswered = state.answer.revision > answerBefore;
  const answer = hasAnswered ? state.answer : before.answer;
  const result: StageResult = {
    ...before,
    ran: outcome !== "skipped" || before.ran,
    outcome: outcome === "aborted" ? "failed" : outcome,
    answer,
    text: answer.text,
    value: hasAnswered && !hasValue ? answer.value : before.value,
  };
  return { ...state, results: { ...state.results, [id]: result } };
}

function outcomeOf(ender: unknown): ScopeOutcome {
  if (ender instanceof AbortError) return "aborted";
  return ender instanceof LimitError ? "limited" : "failed";
}
