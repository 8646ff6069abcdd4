import type { Delta, EventData, RunEvent } from "@loopwright/core/plugin";
import { ERROR_CODES, type ErrorCode, messageOf, ProviderError } from "@loopwright/core/plugin";
import { readText } from "../shared/read-text.ts";
import type { RecordedCall, Recording } from "./recording.ts";

const RETRYABLE = new Set<string>(["provider-unavailable", "provider-timeout"]);

/** What the events told of a call so far. */
interface OpenCall {
  readonly key: string;
  readonly start: EventData["model-call.start"];
  readonly deltas: Delta[];
}

/** Reads the model calls of a run from its event log. */
export async function loadRecording(file: string): Promise<Recording> {
  const text = await readText(file, "replay");
  const open = new Map<string, OpenCall>();
  const calls: RecordedCall[] = [];
  let runId: string | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const event = parseEvent(line, file, index + 1);
    runId ??= event.runId;
    if (event.runId !== runId)
      throw broken(file, index + 1, `begins another run (${event.runId}); keep one run in a file`);
    follow(event, open, calls);
  }
  return { file, calls };
}

function parseEvent(line: string, file: string, number: number): RunEvent {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch (thrown) {
    throw broken(file, number, `is not JSON (${messageOf(thrown)})`);
  }
  if (typeof event !== "object" || event === null || !("name" in event) || !("data" in event)) {
    throw broken(file, number, "is not an event");
  }
  return event as RunEvent;
}

function follow(event: RunEvent, open: Map<string, OpenCall>, calls: RecordedCall[]): void {
  switch (event.name) {
    case "model-call.start":
      open.set(event.spanId, { key: event.key, start: event.data, deltas: [] });
      break;
    case "model-call.delta":
      open.get(event.spanId)?.deltas.push(event.data);
      break;
    case "model-call.end": {
      const call = open.get(event.spanId);
      open.delete(event.spanId);
      if (call !== undefined) calls.push(toCall(call, event.data));
      break;
    }
    default:
  }
}

function toCall({ key, start, deltas }: OpenCall, end: EventData["model-call.end"]): RecordedCall {
  const { text, reasoning, toolCalls, opaque, usage, finishReason = "other" } = end;
  const lastMessage = start.messages.at(-1);
  const fault = faultOf(end);
  return {
    key,
    requestHash: start.requestHash,
    voice: start.voice,
    tools: start.tools,
    ...(lastMessage === undefined ? {} : { lastMessage }),
    deltas,
    reply: {
      message: {
        role: "assistant",
        text,
        reasoning,
        toolCalls,
        ...(opaque === undefined ? {} : { opaque }),
      },
      usage,
      finishReason,
    },
    ...(fault === undefined ? {} : { fault }),
  };
}

/** The fault of the endpoint; a reply that core judged unfit is a reply all the same. */
function faultOf({
  outcome,
  fault,
  finishReason,
}: EventData["model-call.end"]): RecordedCall["fault"] {
  if (outcome === "done" || finishReason !== undefined) return undefined;
  if (fault === undefined) {
    return {
      code: "provider-failed",
      message: `The recorded call ended ${outcome}.`,
      retryable: false,
    };
  }
  const code: ErrorCode = Object.hasOwn(ERROR_CODES, fault.code)
    ? (fault.code as ErrorCode)
    : "provider-failed";
  return { code, message: fault.message, retryable: RETRYABLE.has(code) };
}

function broken(file: string, line: number, what: string): ProviderError {
  return new ProviderError("provider-failed", `Line ${line} of the recording ${file} ${what}.`, {
    details: { file, line },
  });
}
