import type { Scope } from "./scope.ts";
import { EventEmitter } from "eventemitter3";
import type { EventData, EventName, RunEvent, ScopeOutcome } from "../contracts/event.ts";
import type { Json } from "../contracts/json.ts";
import { messageOf } from "../errors/loopwright-error.ts";
import { OpenScopes, type Told } from "./open-scopes.ts";
import type { Redactor } from "./redactor.ts";

/**
 * A listener of the host.
 *
 * Contract: it may be async, and nobody waits for it; what it throws or rejects with is the event `sink.failed` of
 * `listener`, or a warning of the process where nobody hears that, and never reaches the run.
 */
export type RunListener = (event: RunEvent) => unknown;

const ANY = "*";
/** What is told when the stages of a run are over. */
const AFTER_THE_STAGES: ReadonlySet<EventName> = new Set([
  "run.end",
  "output.dead-lettered",
  "sink.failed",
  "events.dropped",
]);

/** The events of one run: stamped, redacted and frozen on the way out; a listener that fails is told and passed over. */
export class EventBus {
  readonly #emitter = new EventEmitter<string>();
  readonly #runId: string;
  readonly #now: () => number;
  readonly #redactor: Redactor;
  #seq = 0;
  #listeners = 0;
  readonly #scopes = new OpenScopes();
  #isSealed = false;
  /** Events on their way; one that a listener causes waits until all have heard the one before. */
  readonly #outbox: RunEvent[] = [];
  #isSending = false;

  constructor(options: {
    readonly runId: string;
    readonly now: () => number;
    readonly redactor: Redactor;
  }) {
    this.#runId = options.runId;
    this.#now = options.now;
    this.#redactor = options.redactor;
  }

  /** Subscribes to one event by name, or to all with `*`; returns the way out. */
  on(name: EventName | "*", listener: RunListener): () => void {
    const guarded = (event: RunEvent): void => {
      try {
        const pending: unknown = listener(event);
        if (pending instanceof Promise)
          pending.catch((fault) => this.#listenerFailed(event, fault));
      } catch (fault) {
        this.#listenerFailed(event, fault);
      }
    };
    this.#emitter.on(name, guarded);
    this.#listeners += 1;
    return () => {
      if (!this.#emitter.listeners(name).includes(guarded)) return;
      this.#emitter.off(name, guarded);
      this.#listeners -= 1;
    };
  }

  /** True when somebody would hear the event; callers may skip costly data otherwise. */
  hears(name: EventName): boolean {
    return this.#emitter.listenerCount(ANY) > 0 || this.#emitter.listenerCount(name) > 0;
  }

  emit<N extends EventName>(name: N, data: EventData[N], scope: Scope): void {
    if (this.#isSealed && !AFTER_THE_STAGES.has(name)) return;
    if (this.#listeners === 0) {
      // Who subscribes later has seen no start either.
      this.#seq += 1;
      return;
    }
    this.#scopes.follow({ name, data, scope } as Told);
    const seq = this.#seq++;
    if (!this.hears(name)) return;
    const event = {
      v: 1,
      id: `${this.#runId}:${seq}`,
      seq,
      time: this.#now(),
      runId: this.#runId,
      ...scope,
      name,
      data: this.#redactor.data(data as unknown as Json),
    } as unknown as RunEvent;
    freeze(event);
    this.#send(event);
  }

  /** Ends every scope that is still open but the run's, the innermost first; stages that go on unseen are not heard afterwards. */
  seal(outcome: ScopeOutcome): void {
    for (const { name, data, scope } of this.#scopes.ends(outcome)) this.emit(name, data, scope);
    this.#isSealed = true;
  }

  #send(event: RunEvent): void {
    this.#outbox.push(event);
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#outbox.shift(); next !== undefined; next = this.#outbox.shift()) {
      this.#emitter.emit(next.name, next);
      this.#emitter.emit(ANY, next);
    }
    this.#isSending = false;
  }

  /** Drops all listeners. */
  close(): void {
    this.#listeners = 0;
    this.#emitter.removeAllListeners();
  }

  #listenerFailed(event: RunEvent, fault: unknown): void {
    if (event.name === "sink.failed") return;
    const message = messageOf(fault);
    if (!this.hears("sink.failed")) {
      const text = this.#redactor.text(`a listener of ${event.name} failed: ${message}`);
      process.emitWarning(text, "LoopwrightWarning");
    }
    const { spanId, parentId, key, stage } = event;
    this.emit("sink.failed", { sink: "listener", message }, { spanId, parentId, key, stage });
  }
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}
