import type { RunEvent } from "../contracts/event.ts";
import { type RecordedCalls, recordedCalls } from "./recorded-calls.ts";
import type { Asked, RecordedReplies, RecordedReply } from "./people.ts";
import type { PersonReply } from "./pending-request.ts";

/** A switch that was thrown. */
export interface SwitchChange {
  readonly name: string;
  readonly isOn: boolean;
}

/** A message of a person, numbered from 1 in the order in which they were sent. */
export interface NumberedMessage {
  readonly number: number;
  readonly text: string;
}

/** A message as it entered somewhere. */
export interface EnteredMessage extends NumberedMessage {
  /** True where it entered before any other place. */
  readonly isFirst: boolean;
}

/** What people did to a run, by the step keys at which it entered. */
export interface RecordedInput {
  /** Switches that were on from the start. */
  readonly start: readonly SwitchChange[];
  readonly changes: ReadonlyMap<string, readonly SwitchChange[]>;
  readonly messages: ReadonlyMap<string, readonly EnteredMessage[]>;
  /** Messages that came too late to enter anywhere. */
  readonly missed: readonly NumberedMessage[];
  /** What approvals and questions asked and what was replied, by their ids. */
  readonly replies: RecordedReplies;
  readonly calls: RecordedCalls;
}

/** Reads from the events of a run what people did to it, so that a run from the same replies can be given the same. */
export function recordedInput(events: readonly RunEvent[]): RecordedInput {
  const start: SwitchChange[] = [];
  const changes = new Map<string, SwitchChange[]>();
  const messages = new Map<string, EnteredMessage[]>();
  const missed: NumberedMessage[] = [];
  const texts = new Map<number, string>();
  const asked = new Map<string, Asked>();
  const replies = new Map<string, RecordedReply>();
  for (const event of events) {
    if (event.name === "switch.changed") {
      const change = { name: event.data.switch, isOn: event.data.isOn };
      if (event.key === "run") start.push(change);
      else add(changes, event.key, change);
    } else if (event.name === "message.received") {
      texts.set(event.data.number, event.data.text);
      add(messages, event.key, { ...event.data, isFirst: true });
    } else if (event.name === "message.shared") {
      const { number } = event.data;
      add(messages, event.key, { number, text: texts.get(number) ?? "", isFirst: false });
    } else if (event.name === "message.missed") missed.push(event.data);
    else if (event.name === "approval.requested")
      asked.set(event.data.id, { kind: "approval", ...event.data });
    else if (event.name === "question.asked")
      asked.set(event.data.id, { kind: "question", ...event.data });
    else {
      const [id, reply] = replyOf(event) ?? [""];
      const question = asked.get(id);
      if (reply !== undefined && question !== undefined)
        replies.set(id, { asked: question, reply });
    }
  }
  return { start, changes, messages, missed, replies, calls: recordedCalls(events) };
}

function replyOf(event: RunEvent): readonly [string, PersonReply | "timeout"] | undefined {
  if (event.name === "approval.given") {
    const { id, approved, by, reason, input } = event.data;
    if (by === "timeout") return [id, "timeout"];
    if (by === "no-terminal") return [id, { answered: false }];
    return [id, { approved, reason, by, ...(input === undefined ? {} : { input }) }];
  }
  if (event.name !== "question.answered") return undefined;
  const { id, reply, by } = event.data;
  if (by === "timeout") return [id, "timeout"];
  return [id, by === "person" ? { reply } : { answered: false }];
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
