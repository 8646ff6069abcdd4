import type { EventData, RunEvent } from "@loopwright/core/plugin";
import { formatDuration } from "./amounts.ts";
import { type Note, warning } from "./note.ts";

/** Shorter waits are not worth a line. */
const toldWaitMs = 1_000;

/** What goes wrong between a run and the endpoints of its models, and what is done about it. */
export function endpointNote(event: RunEvent): Note | undefined {
  switch (event.name) {
    case "call.retried":
      return retriedNote(event.data);
    case "call.delayed":
      return delayedNote(event.data);
    case "breaker.opened":
      return breakerNote(event.data);
    case "constraint.lowered":
      return loweredNote(event.data);
    case "constraint.loosened":
      return loosenedNote(event.data);
    case "output.dead-lettered":
      return deadLetterNote(event.data);
    default:
      return undefined;
  }
}

function retriedNote(data: EventData["call.retried"]): Note {
  const { model, nextModel, fault, attempt, attempts, waitMs } = data;
  const wait = waitMs > 0 ? ` in ${formatDuration(waitMs)}` : "";
  const again = `the same model again${wait} (attempt ${attempt} of ${attempts} failed)`;
  const what = fault.message.replace(/\.$/u, "");
  return warning("retry", `${what}; ${nextModel === model ? again : `now ${nextModel}`}`);
}

const REASONS: Readonly<Record<EventData["call.delayed"]["reason"], string>> = {
  requests: "for the rate of its account",
  tokens: "for the token rate of its account",
  parallel: "for other calls of its account",
  "retry-after": "because the endpoint asked to",
};

function delayedNote({ model, reason, waitMs }: EventData["call.delayed"]): Note | undefined {
  if (waitMs < toldWaitMs) return undefined;
  const waits = reason === "parallel" ? "waited" : "waits";
  return warning("delay", `${model} ${waits} ${formatDuration(waitMs)} ${REASONS[reason]}`);
}

function breakerNote({ model, failures, restMs }: EventData["breaker.opened"]): Note {
  const rest = formatDuration(restMs);
  return warning("breaker", `${model} failed ${failures} times in a row: no call for ${rest}`);
}

function loweredNote({ model, from, to, reason }: EventData["constraint.lowered"]): Note {
  return warning("lowered", `${model} is asked on ${to}, not on ${from}: ${reason}`);
}

function loosenedNote(data: EventData["constraint.loosened"]): Note {
  const { model, schema, parts } = data;
  const text = `${model} can't be held to all of \`${schema}\`: ${parts.join(", ")}`;
  return warning("loosened", text);
}

function deadLetterNote(data: EventData["output.dead-lettered"]): Note {
  const { file, code, attempts } = data;
  const tries = attempts === 1 ? "1 reply" : `${attempts} replies`;
  return warning("kept", `no valid answer after ${tries} (${code}): the input is in ${file}`);
}
