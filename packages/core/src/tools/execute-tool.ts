import { isAgentTool } from "../program/agent-key.ts";
import type { ToolEntry } from "../program/program.ts";
import type { JsonObject } from "../contracts/json.ts";
import { definePrompt, type Language } from "../contracts/prompt.ts";
import type { ToolQuestion } from "../contracts/tool.ts";
import { messageOf, ToolError } from "../errors/loopwright-error.ts";
import { askPerson } from "../run/ask-person.ts";
import { Deadline } from "../run/deadline.ts";
import { say } from "../run/language-of.ts";
import type { Frame } from "../run/run-scope.ts";
import { misfits } from "../validation/json-validator.ts";
import { describeMisfits } from "../validation/misfit-words.ts";
import { executeAgent } from "./execute-agent.ts";
import { noteEffect } from "./executed-effects.ts";
import type { Execution } from "./execution.ts";
import type { KnownCall } from "./known-call.ts";
import { formatOutput } from "./result-text.ts";
import { toolFunction } from "./tool-function.ts";
import { withinTime } from "./within-time.ts";

/** Executes a tool within its time; what it returns is still to be read. */
export function executeTool(execution: Execution): Promise<unknown> {
  const {
    frame,
    known,
    signal,
    asked,
    scope: { key },
  } = execution;
  if (isAgentTool(known.entry)) return executeAgent(execution);
  const { policy, callId, input } = known;
  const { clock } = frame.run.linked;
  const run = toolFunction(frame, known);
  let timer: Deadline | undefined;
  // Of several questions at one time the last answer lets it run on.
  let waiting = 0;
  const work = (signalOf: () => AbortSignal): unknown => {
    // Own properties, also the getter: a tool may spread what it knows about a call.
    const context = {
      get signal() {
        return signalOf();
      },
      runId: frame.run.id,
      callId,
      idempotencyKey: `${frame.run.id}/${key}`,
      askPerson: async (question: ToolQuestion) => {
        waiting += 1;
        timer?.pause();
        try {
          return await askPerson(frame, `${key}/ask:${asked.count++}`, question);
        } finally {
          if (--waiting === 0) timer?.start();
        }
      },
    };
    if (policy.effect !== "read") noteEffect(frame.run, key);
    // A copy: the record of the call stays what the model asked for, whatever the tool makes of it.
    return run(copyOf(input), context);
  };
  return withinTime(work, {
    outer: signal,
    startTimer: (onTimeout) => {
      const deadline = new Deadline(clock, policy.timeoutMs, onTimeout);
      timer = deadline;
      deadline.start();
      return () => {
        deadline.pause();
        timer = undefined;
      };
    },
    timeout: () => timeoutOf(frame, known),
    onLeft: () => (execution.isUnsure = true),
  });
}

function timeoutOf(frame: Frame, { entry, policy }: KnownCall): ToolError {
  const message = say(frame, TIMED_OUT, { tool: entry.name, time: policy.timeoutMs });
  return new ToolError("tool-timeout", message, { retryable: true });
}

/** Checks what a tool returned, and gives it as text. */
export function readOutput(entry: ToolEntry, output: unknown, language: Language = "en"): string {
  checkOutput(entry, output);
  try {
    return formatOutput(entry.definition, output, language);
  } catch (thrown) {
    throw new OutputError("tool-failed", messageOf(thrown));
  }
}

/** Thrown for what a tool returned: it ran to its end, so it may have taken effect. */
export class OutputError extends ToolError {}

/** Arguments are plain JSON, so its text is a copy; `structuredClone` takes ten times as long. */
function copyOf(input: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(input)) as JsonObject;
}

/** Holds what a tool returned to what it declares. */
export function checkOutput(entry: ToolEntry, output: unknown): void {
  if (entry.definition.output === undefined) return;
  const list = misfits(output, entry.definition.output);
  if (list.length > 0)
    throw new OutputError(
      "tool-failed",
      `${entry.name} returned something else than it declares: ${describeMisfits(list)}`,
    );
}

const TIMED_OUT = definePrompt({
  en: "{{tool}} did not answer within {{time}} ms",
  zh: "{{tool}} 在 {{time}} 毫秒内没有回应",
});
