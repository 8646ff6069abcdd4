import type { EventData, RunEvent } from "../contracts/event.ts";
import type { Json } from "../contracts/json.ts";
import type { Observation } from "../contracts/state.ts";

/** A call of a tool as the log of an earlier run holds it. */
export interface RecordedCall {
  readonly start: EventData["tool-call.start"];
  readonly end?: EventData["tool-call.end"];
  /** The arguments that a person was asked to approve. */
  readonly asked?: Json;
  /** Those that they approved instead. */
  readonly approved?: Json;
  /** What it came to; together with its stand-in, where there was one. */
  readonly observation?: Observation;
  /** What was told while it was executed: attempts, and questions to people. */
  readonly told: readonly RunEvent[];
}

/** Calls by their step keys. */
export type RecordedCalls = ReadonlyMap<string, RecordedCall>;

/** What the key of a stand-in has after that of the call that it stands in for. */
export const STAND_IN = ".fallback:0";

/** Reads from the events of a run what its calls of tools came to. */
export function recordedCalls(events: readonly RunEvent[]): RecordedCalls {
  const calls = new Map<string, RecordedCall>();
  const counts = new Map<string, number>();
  const add = (key: string, more: Partial<RecordedCall>): void => {
    const call = calls.get(key);
    if (call !== undefined) calls.set(key, { ...call, ...more });
  };
  for (const event of events) {
    const { key, name, data } = event;
    if (name === "tool-call.start") calls.set(key, { start: data, told: [] });
    else if (name === "tool-call.end") add(key, { end: data });
    else if (name === "approval.requested") add(key, { asked: data.input });
    else if (name === "approval.given" && data.input !== undefined)
      add(key, { approved: data.input });
    else if (name === "observation.recorded") {
      // They are told in the order of the calls.
      const index = counts.get(key) ?? 0;
      counts.set(key, index + 1);
      const call = `${key}/call:${index}`;
      for (const own of [call, `${call}${STAND_IN}`]) add(own, { observation: data });
    } else if (DURING.has(name)) {
      const own = key.replace(/\/ask:\d+$/u, "");
      add(own, { told: [...(calls.get(own)?.told ?? []), event] });
    }
  }
  return calls;
}

const DURING: ReadonlySet<string> = new Set([
  "tool.retried",
  "question.asked",
  "question.answered",
]);
