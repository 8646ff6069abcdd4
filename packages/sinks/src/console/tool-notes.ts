import type { EventData, RunEvent } from "@loopwright/core/plugin";
import { formatDuration } from "./amounts.ts";
import { compact } from "./compact.ts";
import { type Note, warning } from "./note.ts";

/** Shorter waits are not worth a line. */
const toldWaitMs = 1_000;

/** What goes wrong between a run and its tools, and what is done about it. */
export function toolIncidentNote(event: RunEvent): Note | undefined {
  switch (event.name) {
    case "tool.retried":
      return retriedNote(event.data);
    case "tool.delayed":
      return delayedNote(event.data);
    case "tool.rested":
      return restedNote(event.data);
    case "arguments.normalized":
      return normalizedNote(event.data);
    case "loop.detected":
      return loopNote(event.data);
    case "tools.listed":
      return listedNote(event.data);
    case "tools.unlisted":
      return warning("tools", `${event.data.set}: ${event.data.message}; asked once more`, 4);
    case "tools.noted":
      return warning("tools", `${event.data.set}: ${event.data.message}`, 4);
    case "tool.dropped":
      return droppedNote(event.data);
    default:
      return undefined;
  }
}

/** Descriptions that try to steer a model are worth a line; a list is not. */
function listedNote({ tools }: EventData["tools.listed"]): Note | undefined {
  const odd = tools.flatMap(({ name, suspect }) =>
    suspect === undefined ? [] : [`the description of ${name}: ${suspect.join(", ")}`],
  );
  return odd.length === 0 ? undefined : warning("suspect", odd.join("; "), 4);
}

function droppedNote({ set, tool, reason }: EventData["tool.dropped"]): Note {
  return warning("tools", `${set} lists ${tool}, which can't be used: ${reason}`, 2);
}

function retriedNote(data: EventData["tool.retried"]): Note {
  const { tool, fault, attempt, attempts, waitMs } = data;
  const what = `${tool}: ${fault.message.replace(/\.$/u, "")}`;
  const again = `again in ${formatDuration(waitMs)} (attempt ${attempt} of ${attempts} failed)`;
  return warning("retry", `${what}; ${again}`);
}

function delayedNote({ tool, reason, waitMs }: EventData["tool.delayed"]): Note | undefined {
  if (waitMs < toldWaitMs) return undefined;
  const why = reason === "parallel" ? "waited for other calls of it" : "waits for its rate";
  return warning("delay", `${tool} ${why}: ${formatDuration(waitMs)}`);
}

function restedNote({ tool, failures, restMs }: EventData["tool.rested"]): Note {
  const rest = formatDuration(restMs);
  return warning("breaker", `${tool} failed ${failures} times in a row: not called for ${rest}`);
}

function normalizedNote({ tool, changes }: EventData["arguments.normalized"]): Note {
  const said = changes.map(({ path, from, to }) => {
    const what = `${compact(from)} read as ${compact(to)}`;
    return path === "" ? what : `${path}: ${what}`;
  });
  return warning("read as", `${tool}  ${said.join("; ")}`, 2);
}

/** Calls that bring nothing more, and what is done about them. */
function loopNote({ tool, times, cycle, measure }: EventData["loop.detected"]): Note {
  const what = cycle === undefined ? tool : `${cycle.join(", ")} in a circle`;
  const then = measure === "hint" ? "" : "; its stage goes on without tools";
  return warning("repeat", `${what}, ${times} times with nothing new${then}`);
}
