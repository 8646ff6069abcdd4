import type { Ending, Fault } from "../contracts/event.ts";
import type { Json } from "../contracts/json.ts";
import { definePrompt } from "../contracts/prompt.ts";
import type { RunState } from "../contracts/state.ts";
import { isLoopwrightError, LimitError, messageOf } from "../errors/loopwright-error.ts";
import { faultOf } from "./call-fault.ts";
import { answerStopped, answerWithoutModel, conclude } from "./conclude.ts";
import { keepDeadLetter } from "./keep-dead-letter.ts";
import { say } from "./language-of.ts";
import type { LinkedProgram } from "./linked-program.ts";
import { refuseNotYet } from "./not-yet.ts";
import { type OpenRun, openRun } from "./open-run.ts";
import { orOverdue } from "./overdue.ts";
import { requireSwitches } from "./require-switches.ts";
import { readInput } from "./read-input.ts";
import type { Run, RunInput, RunListener, RunOutcome, RunSettings } from "./run.ts";
import { type Frame, StopSignal } from "./run-scope.ts";
import { runSequence } from "./run-stage.ts";

/** Starts a run of a program; throws a SpecError for inputs that do not fit or parts that can't run yet, and nothing afterwards. */
export function startRun(linked: LinkedProgram, input: RunInput, settings: RunSettings = {}): Run {
  refuseNotYet(linked.program);
  const task = readInput(linked.program, input);
  requireSwitches(linked.program, settings.switches);
  const opened = openRun(linked, task, settings, runSequence);
  const outcome = Promise.resolve()
    .then(() =>
      execute(opened, settings.switches, (ended) =>
        keepDeadLetter(opened.root, ended, input, settings),
      ),
    )
    .finally(opened.dispose);
  const { scope, abort } = opened;
  return {
    id: scope.id,
    outcome,
    on: (name, listener) => opened.bus.on(name, listener as RunListener),
    pending: () => scope.people.pending(),
    respond: (id, reply) => scope.people.respond(id, reply),
    send: (message) => scope.live.send(message),
    setSwitch: (name, isOn) => scope.live.setSwitch(name, isOn),
    problemsWith: (id, reply) => scope.people.problemsWith(id, reply),
    abort,
  };
}

/** Open the run, run the stages within limits, close the run. */
async function execute(
  opened: OpenRun,
  switches: readonly string[] = [],
  keep: (outcome: RunOutcome) => Promise<void>,
): Promise<RunOutcome> {
  const { root, clock, scope } = opened;
  const startedAt = scope.linked.clock.now();
  tellStart(root);
  clock.start();
  scope.live.start(switches, root.scope);
  const stages = await orOverdue(runStages(root), scope.endSignal, scope.linked.clock);
  const ending = stages === "overdue" ? endedBy(root, scope.endSignal.reason) : stages;
  const missed = scope.live.close(root.scope);
  opened.bus.seal(ending.outcome);
  const outcome = {
    ...outcomeOf(root, ending, scope.linked.clock.now() - startedAt),
    ...(missed.length === 0 ? {} : { missed }),
  };
  await keep(outcome);
  const { text, value, evidence, solvable, unsolvableReason } = outcome.answer;
  const { verified, spending, durationMs } = outcome;
  const why = {
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
    ...(outcome.fault === undefined ? {} : { fault: outcome.fault }),
  };
  scope.bus.emit(
    "run.end",
    {
      outcome: outcome.outcome,
      verified,
      answer: { text, value, evidence, solvable, unsolvableReason },
      spending,
      durationMs,
      ...why,
    },
    root.scope,
  );
  await Promise.all(opened.sinks.map((sink) => sink.flush()));
  return outcome;
}

function tellStart({ run: { bus, linked }, state: { task }, scope }: Frame): void {
  const { name: spec, version, hash: programHash } = linked.program;
  const { text, inputs } = task;
  bus.emit("run.start", { spec, version, programHash, task: text, inputs }, scope);
}

interface Ended {
  readonly outcome: Ending;
  readonly reason?: string;
  readonly fault?: Fault;
}

async function runStages(root: Frame): Promise<Ended> {
  try {
    await runSequence(root, root.run.linked.program.strategy, async (ender) => {
      if (ender instanceof LimitError)
        await conclude(root, say(root, RUN_LIMIT, { code: ender.code }));
    });
    root.run.signal.throwIfAborted();
    const { cutShort, state } = root;
    const isShort = cutShort !== undefined && cutShort.revision === state.answer.revision;
    return { outcome: "done", ...(isShort ? { reason: cutShort.why } : {}) };
  } catch (thrown) {
    return endedBy(root, thrown);
  }
}

const RUN_LIMIT = definePrompt({
  en: "the run reached a limit ({{code}}).",
  zh: "运行达到了限制（{{code}}）。",
});

function endedBy(root: Frame, thrown: unknown): Ended {
  const fault = faultOf(thrown);
  if (root.run.signal.aborted)
    return {
      outcome: "aborted",
      reason: messageOf(root.run.signal.reason),
      fault: faultOf(root.run.signal.reason),
    };
  if (thrown instanceof StopSignal) {
    answerStopped(root, thrown);
    return { outcome: "done", reason: thrown.reason };
  }
  if (thrown instanceof LimitError) {
    answerWithoutModel(root, say(root, RUN_LIMIT, { code: thrown.code }));
    return { outcome: "limited", reason: thrown.message, fault };
  }
  const message = isLoopwrightError(thrown)
    ? thrown.message
    : `a plugin failed: ${messageOf(thrown)}`;
  return { outcome: "failed", reason: message, fault: { ...fault, message } };
}

function outcomeOf(root: Frame, ended: Ended, durationMs: number): RunOutcome {
  const { ledger, run } = root;
  const { redactor } = run.linked;
  const known = { ...ended, state: root.state } as unknown as Json;
  const { state, ...why } = redactor.data(known) as unknown as Ended & { state: RunState };
  return {
    ...why,
    verified: state.verdict.outcome,
    answer: state.answer,
    value: state.answer.value,
    state,
    spending: ledger.spending(),
    durationMs,
  };
}
