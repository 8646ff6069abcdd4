import type { Ending, EventEnvelope, Fault, RunEvent, Spending } from "../contracts/event.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import type { Answer, RunState } from "../contracts/state.ts";
import type { RunListener } from "../events/event-bus.ts";
import type { PendingRequest, PersonReply } from "./people.ts";
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
  /** Replies to a request; false when nothing waits under this id, or when the reply does not fit what is asked (kind, options). */
  respond(id: string, reply: PersonReply): boolean;
  /** Ends the run; nothing starts afterwards. */
  abort(reason?: string): void;
}

export type { PendingRequest, PersonReply, RunListener };
