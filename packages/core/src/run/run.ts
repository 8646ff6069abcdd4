import type { Ending, EventEnvelope, Fault, RunEvent, Spending } from "../contracts/event.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import type { Answer, RunState } from "../contracts/state.ts";
import type { RunListener } from "../events/event-bus.ts";
import type {
  PendingApproval,
  PendingQuestion,
  PendingRequest,
  PersonReply,
} from "./pending-request.ts";
import type { EventName } from "../contracts/event.ts";

/** What a run is started with. */
export interface RunInput {
  /** The task in words; joins the spec's own task text. */
  readonly task?: string;
  /** The declared inputs by name; text is converted to the declared type. */
  readonly inputs?: JsonObject;
}

/** How a run is started. */
export interface RunSettings {
  readonly signal?: AbortSignal;
  /** False where nobody can be asked: approvals are denied, questions stay unanswered. Default true. */
  readonly isPersonPresent?: boolean;
  /** Replaces every effect of a tool by a note of what would have happened. */
  readonly dryRun?: boolean;
  /** Default: a new unique id. */
  readonly id?: string;
  /** The file of dead letters, absolute; default: the one that the spec's output names. */
  readonly deadLetter?: string;
  /** What the caller knows about the item, such as its row: it goes into a dead letter. */
  readonly origin?: JsonObject;
  /** The names of the switches that are on from the start. */
  readonly switches?: readonly string[];
  /**
   * The events of an earlier run, in their order: what people did to that one is done to this one at the same step keys
   * (messages, switches, approvals, answers), and nothing else is taken, so that the same replies give the same events. A
   * call of a tool that does more than read is not made: what is recorded is its result, and without that it is refused.
   */
  readonly recorded?: readonly RunEvent[];
}

/** How a run ended. */
export interface RunOutcome {
  readonly outcome: Ending;
  readonly verified: "pass" | "revise" | "fail" | "stale" | "none";
  readonly answer: Answer;
  /** The typed value where the spec declares an output; null without an answer. */
  readonly value: Json;
  readonly state: RunState;
  readonly spending: Spending;
  readonly durationMs: number;
  /** Why it stopped early. */
  readonly reason?: string;
  readonly fault?: Fault;
  /** Messages that were sent too late to enter the work. */
  readonly missed?: readonly string[];
}

/** The event that a listener of this name hears. */
export type EventOf<N extends EventName | "*"> = N extends EventName ? EventEnvelope<N> : RunEvent;

/** One execution of a program on one task. */
export interface Run {
  readonly id: string;
  /** Resolves once, after the terminal event and when the sinks have taken everything; never rejects. */
  readonly outcome: Promise<RunOutcome>;
  /** Subscribes to one event by name, or to all with `*`; returns the way out. */
  on<N extends EventName | "*">(name: N, listener: (event: EventOf<N>) => unknown): () => void;
  /** What waits for a person. */
  pending(): readonly PendingRequest[];
  /**
   * Replies to a request; false when nothing waits under this id, or when the reply does not fit what is asked (kind,
   * options, arguments that the tool does not take or the spec denies): then it waits on, and `problemsWith` says why.
   */
  respond(id: string, reply: PersonReply): boolean;
  /** What keeps a reply from being taken, in words for a person; empty where `respond` would take it. */
  problemsWith(id: string, reply: PersonReply): readonly string[];
  /**
   * Says something to the run, in the words of the person who gave the task: it enters every conversation that goes on at
   * its next model call, and the task of every stage that starts later. False for an empty message and after the end.
   */
  send(message: string | { readonly text: string }): boolean;
  /** Throws a switch of the spec, or turns it back, from the next call on; false for a name that the spec does not have, and after the end. */
  setSwitch(name: string, isOn: boolean): boolean;
  /** Ends the run; nothing starts afterwards. */
  abort(reason?: string): void;
}

export type { PendingApproval, PendingQuestion, PendingRequest, PersonReply, RunListener };
