import type { Delta, EventData, FileFault, RunEvent } from "@loopwright/core/plugin";
import { ERROR_CODES, type ErrorCode, messageOf, ProviderError } from "@loopwright/core/plugin";
import { inspectFile } from "../shared/inspect-file.ts";
import { readText } from "../shared/read-text.ts";
import type { RecordedCall, RecordedFault, Recording } from "./recording.ts";

/** What the events told of a call so far. */
interface OpenCall {
  readonly key: string;
  readonly start: EventData["model-call.start"];
  readonly deltas: Delta[];
}

/** What is wrong in a line of an event log. */
class RecordingFault extends Error {
  readonly line: number;

  constructor(line: number, what: string) {
    super(what);
    this.line = line;
  }
}

/** Reads the model calls of a run from its event log. */
export async function loadRecording(file: string): Promise<Recording> {
  const text = await readText(file, "replay");
  try {
    return { file, calls: readCalls(text) };
  } catch (thrown) {
    if (!(thrown instanceof RecordingFault)) throw thrown;
    const { line, message } = thrown;
    throw new ProviderError(
      "provider-failed",
      `Line ${line} of the recording ${file} ${message}.`,
      { details: { file, line } },
    );
  }
}

/** What is wrong in the file of a recording: its first broken line. */
export function inspectRecording(file: string): readonly FileFault[] {
  const faultsOf = (text: string) => {
    try {
      readCalls(text);
      return [];
    } catch (thrown) {
      if (!(thrown instanceof RecordingFault)) throw thrown;
      return [{ message: `the line ${thrown.message}`, line: thrown.line, column: 1 }];
    }
  };
  return inspectFile(
    file,
    faultsOf,
    "name the event log of one run, as the sink `jsonl` writes it",
  );
}

function readCalls(text: string): readonly RecordedCall[] {
  const open = new Map<string, OpenCall>();
  const calls: RecordedCall[] = [];
  let runId: string | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const event = parseEvent(line, index + 1);
    runId ??= event.runId;
    if (event.runId !== runId) {
      const what = `begins another run (${event.runId}); keep one run in a file`;
      throw new RecordingFault(index + 1, what);
    }
    follow(event, open, calls);
  }
  return calls;
}

function parseEvent(line: string, number: number): RunEvent {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch (thrown) {
    throw new RecordingFault(number, `is not JSON (${messageOf(thrown)})`);
  }
  if (!isEvent(event)) throw new RecordingFault(number, "is not an event");
  if (!isWholeCall(event)) throw new RecordingFault(number, `is no whole \`${event.name}\``);
  return event;
}

function isEvent(value: unknown): value is RunEvent {
  if (typeof value !== "object" || value === null) return false;
  const { name, data } = value as { readonly name?: unknown; readonly data?: unknown };
  return typeof name === "string" && typeof data === "object" && data !== null;
}

/** Whether the event of a model call holds what its replay needs. */
function isWholeCall({ name, data }: RunEvent): boolean {
  const { messages, tools, text, toolCalls, usage } = data as Readonly<Record<string, unknown>>;
  if (name === "model-call.start") return Array.isArray(messages) && Array.isArray(tools);
  if (name !== "model-call.end") return true;
  return typeof text === "string" && Array.isArray(toolCalls) && typeof usage === "object";
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
    case "call.retried": {
      const { model, nextModel, attempts, waitMs } = event.data;
      if (model === nextModel) addToFault(calls, event.key, { retried: { attempts, waitMs } });
      break;
    }
    case "constraint.lowered":
      addToFault(calls, event.key, { lacks: event.data.from, serverMessage: event.data.reason });
      break;
    default:
  }
}

/** Adds what came of a failed call to what is known of it: events tell it after the call's end. */
function addToFault(
  calls: RecordedCall[],
  key: string,
  more: Pick<RecordedFault, "retried" | "lacks" | "serverMessage">,
): void {
  const index = calls.findLastIndex((call) => call.key === key);
  const call = calls[index];
  if (call?.fault !== undefined) calls[index] = { ...call, fault: { ...call.fault, ...more } };
}

function toCall({ key, start, deltas }: OpenCall, end: EventData["model-call.end"]): RecordedCall {
  const { text, reasoning, toolCalls, opaque, usage, finishReason = "other", dialect } = end;
  const { isUsageEstimated } = end;
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
      ...(dialect === undefined ? {} : { dialect }),
      ...(isUsageEstimated === true ? { isUsageEstimated } : {}),
    },
    ...(fault === undefined ? {} : { fault }),
  };
}

/** The fault of the endpoint; a reply that core judged unfit is a reply all the same. */
function faultOf({
  outcome,
  fault,
  finishReason,
  usage,
}: EventData["model-call.end"]): RecordedCall["fault"] {
  if (outcome === "done" || finishReason !== undefined) return undefined;
  if (fault === undefined) {
    return {
      code: "provider-failed",
      message: `The recorded call ended ${outcome}.`,
      usage,
    };
  }
  const code: ErrorCode = Object.hasOwn(ERROR_CODES, fault.code)
    ? (fault.code as ErrorCode)
    : "provider-failed";
  return { code, message: fault.message, usage };
}
