import type {
  ConstraintLayer,
  Delta,
  ErrorCode,
  Message,
  ProviderReply,
  ProviderRequest,
  Usage,
} from "@loopwright/core/plugin";
import { ProviderError } from "@loopwright/core/plugin";

/** One model call of a recorded run. */
export interface RecordedCall {
  readonly key: string;
  readonly requestHash: string;
  readonly voice: string;
  readonly tools: readonly string[];
  readonly lastMessage?: Message;
  readonly deltas: readonly Delta[];
  readonly reply: ProviderReply;
  readonly fault?: RecordedFault;
}

/** Why a recorded call failed, and what came of it. */
export interface RecordedFault {
  readonly code: ErrorCode;
  readonly message: string;
  /** How often its model could be tried and how long the next try waited, where there was one. */
  readonly retried?: { readonly attempts: number; readonly waitMs: number };
  /** The layer that the endpoint lacked. */
  readonly lacks?: ConstraintLayer;
  /** The endpoint's own words about what it lacked. */
  readonly serverMessage?: string;
  readonly usage: Usage;
}

/** The model calls of a recorded run, in their order. */
export interface Recording {
  readonly file: string;
  readonly calls: readonly RecordedCall[];
}

/** Takes the next unused call under the request's key, else under its hash; `used` gains it. */
export function takeCall(
  recording: Recording,
  request: ProviderRequest,
  used: Set<RecordedCall>,
): RecordedCall {
  const { key, requestHash } = request;
  const unused = recording.calls.filter((call) => !used.has(call));
  const sameKey = unused.find((call) => call.key === key);
  if (sameKey !== undefined) {
    const fits =
      requestHash === undefined ||
      sameKey.requestHash === "" ||
      sameKey.requestHash === requestHash;
    if (!fits) throw changed(recording, request, sameKey);
    used.add(sameKey);
    return sameKey;
  }
  const sameHash = unused.find(
    (call) => requestHash !== undefined && call.requestHash === requestHash,
  );
  if (sameHash === undefined) throw missing(recording, request, unused);
  used.add(sameHash);
  return sameHash;
}

function changed(
  recording: Recording,
  request: ProviderRequest,
  call: RecordedCall,
): ProviderError {
  const { key, requestHash } = request;
  const differences = differencesOf(request, call);
  return new ProviderError(
    "replay-miss",
    `${recording.file} recorded another request under the key ${key}: ` +
      `${[`hash ${call.requestHash} is now ${requestHash}`, ...differences].join("; ")}. ` +
      "Undo what changed in the spec, its inputs or the code, or record the run again.",
    { details: { key, requestHash, recordedHash: call.requestHash, differences } },
  );
}

function missing(
  recording: Recording,
  request: ProviderRequest,
  unused: readonly RecordedCall[],
): ProviderError {
  const { key, requestHash = "" } = request;
  const total = recording.calls.length;
  const isUsed = recording.calls.some((call) => call.key === key);
  const near = nearKeys(
    key,
    unused.map((call) => call.key),
  );
  return new ProviderError(
    "replay-miss",
    `${recording.file} holds no ${isUsed ? "further " : ""}reply for the key ${key}` +
      `${requestHash === "" ? "" : ` (hash ${requestHash})`}; ${unused.length} of its ${total} calls stand unused` +
      `${near.length === 0 ? "" : `, the nearest under ${near.join(", ")}`}. ` +
      "Undo what changed in the spec, its inputs or the code, or record the run again.",
    { details: { key, requestHash, near, unused: unused.length } },
  );
}

function differencesOf(request: ProviderRequest, call: RecordedCall): readonly string[] {
  const tools = request.tools.map((tool) => tool.name).join(", ");
  const recordedTools = call.tools.join(", ");
  return [
    ...(request.voice === call.voice ? [] : [`voice ${call.voice} is now ${request.voice}`]),
    ...(tools === recordedTools ? [] : [`tools [${recordedTools}] are now [${tools}]`]),
    ...(call.lastMessage === undefined
      ? []
      : textDifference(call.lastMessage.text, request.messages.at(-1)?.text ?? "")),
  ];
}

function textDifference(recorded: string, asked: string): readonly string[] {
  if (recorded === asked) return [];
  let at = 0;
  while (at < recorded.length && recorded[at] === asked[at]) at++;
  const from = Math.max(0, at - 20);
  const quote = (text: string): string => JSON.stringify(text.slice(from, from + 80));
  return [`the last message differs at character ${at}: ${quote(recorded)} is now ${quote(asked)}`];
}

/** The three keys that share most with the wanted one, at its beginning and end. */
function nearKeys(wanted: string, keys: readonly string[]): readonly string[] {
  const sharing = (key: string): number => {
    const most = Math.min(key.length, wanted.length);
    let start = 0;
    while (start < most && key[start] === wanted[start]) start++;
    let end = 0;
    while (end < most - start && key.at(-1 - end) === wanted.at(-1 - end)) end++;
    return start + end;
  };
  return [...new Set(keys)].toSorted((a, b) => sharing(b) - sharing(a)).slice(0, 3);
}
