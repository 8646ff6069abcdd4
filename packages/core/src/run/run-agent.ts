import type { JsonObject } from "../contracts/json.ts";
import { definePrompt } from "../contracts/prompt.ts";
import type { AnswerDraft } from "../contracts/state.ts";
import { InternalError, LimitError, ProviderError } from "../errors/loopwright-error.ts";
import { misfits } from "../validation/json-validator.ts";
import { describeMisfits } from "../validation/misfit-words.ts";
import { openAgent, type OpenAgent } from "./open-agent.ts";
import { answerStopped, answerWithoutModel, conclude } from "./conclude.ts";
import { say } from "./language-of.ts";
import { readInput } from "./read-input.ts";
import { type Frame, StopSignal } from "./run-scope.ts";

/**
 * Runs the agent of a stage as a part of the run around it.
 *
 * It has a state, memories, tools, models and limits of its own; its calls also count at the limits above, and its stages
 * are nested under the stage. Nothing of its state goes up but the answer that is returned: that one cites no evidence,
 * because the state around it holds none of the agent's observations. A limit of the agent's own ends it as it ends a run,
 * with a conclusion; the stage keeps that answer and ends `limited`. Limits and aborts from above pass through.
 */
export async function runAgent(
  frame: Frame,
  key: string,
  inputs: JsonObject,
  taskText?: string,
): Promise<AnswerDraft> {
  const name = frame.stage?.id ?? "agent";
  const linked = frame.run.linked.agents.get(name);
  if (linked === undefined)
    throw new InternalError(
      "contract-broken",
      `stage \`${frame.scope.stage}\` runs an agent, but none of its options names a spec`,
    );
  const given = { inputs, ...(taskText === undefined ? {} : { task: taskText }) };
  const task = readInput(linked.program, given, frame.state.task.text);
  const scope = frame.step?.scope ?? frame.scope;
  const { ledger, signal } = frame;
  const agent = openAgent(frame, { key, name, prefix: name, scope, ledger, signal }, linked, task);
  try {
    const limit = await runToItsEnd(frame, agent, signal);
    if (limit !== undefined) {
      const { code, message, details } = limit;
      frame.limitedBy = new LimitError(code, message, { details: { ...details, of: "stage" } });
    }
  } finally {
    agent.close();
  }
  return answerOf(agent);
}

/**
 * Runs the stages of an agent below a frame. A limit of its own ends it as it ends a run, with a conclusion, and is
 * returned; limits and aborts from above pass through.
 */
export async function runToItsEnd(
  { ledger }: Frame,
  { root }: OpenAgent,
  signal: AbortSignal,
): Promise<LimitError | undefined> {
  const isOwnLimit = (ender: unknown): ender is LimitError =>
    ender instanceof LimitError && !signal.aborted && !ledger.hasRefused(ender);
  try {
    await root.run.runStages(root, root.run.linked.program.strategy, async (ender) => {
      if (isOwnLimit(ender)) await conclude(root, reasonOf(root, ender));
    });
  } catch (thrown) {
    if (thrown instanceof StopSignal) answerStopped(root, thrown);
    else {
      if (!isOwnLimit(thrown)) throw thrown;
      answerWithoutModel(root, reasonOf(root, thrown));
      return thrown;
    }
  }
  return undefined;
}

function reasonOf(root: Frame, { code }: LimitError): string {
  return say(root, AGENT_LIMIT, { code });
}

const AGENT_LIMIT = definePrompt({
  en: "the agent reached a limit ({{code}}).",
  zh: "智能体达到了限制（{{code}}）。",
});

/** The answer of an agent that has ended; one that does not fit what the agent's spec declares is a failure. */
export function answerOf({ root }: OpenAgent): AnswerDraft {
  const { output, name } = root.run.linked.program;
  const { text, value, reasoning, solvable, unsolvableReason, revision } = root.state.answer;
  if (revision === 0) return { text: "", solvable: false, unsolvableReason: say(root, NO_ANSWER) };
  const faults = output === undefined || !solvable ? [] : misfits(value, output.schema);
  if (faults.length > 0)
    throw new ProviderError(
      "output-invalid",
      `the answer of the agent \`${name}\` does not fit its output: ${describeMisfits(faults)}`,
    );
  return { text, value, reasoning, solvable, unsolvableReason };
}

const NO_ANSWER = definePrompt({
  en: "The agent gave no answer.",
  zh: "智能体没有给出答案。",
});
