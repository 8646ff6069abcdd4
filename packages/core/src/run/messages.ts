import type { Redactor } from "../events/redactor.ts";
import type { RunBus } from "../events/run-bus.ts";
import type { Scope } from "../events/scope.ts";
import type { EnteredMessage, NumberedMessage, RecordedInput } from "./recorded-input.ts";

/** Where something enters that people said, and what can be read there already. */
export interface Entrance {
  readonly scope: Scope;
  readonly texts: () => readonly string[];
}

/**
 * What people say to a run while it works.
 *
 * A message enters every conversation that goes on at its next model call, and the task of every stage that starts later,
 * unless it can be read there already; where it enters first it is told, and where it enters again too.
 */
export class Messages {
  readonly #sent: NumberedMessage[] = [];
  readonly #received = new Set<number>();
  readonly #bus: RunBus;
  readonly #redactor: Redactor;
  readonly #recorded: RecordedInput | undefined;

  constructor(bus: RunBus, redactor: Redactor, recorded: RecordedInput | undefined) {
    this.#bus = bus;
    this.#redactor = redactor;
    this.#recorded = recorded;
    this.#sent.push(...(recorded?.missed ?? []));
  }

  send(text: string): void {
    const number = this.#sent.length + 1;
    this.#sent.push({ number, text: this.#redactor.text(text) });
  }

  /** What enters here, in the order in which it was sent, as it is said to a model. */
  entering({ scope, texts }: Entrance): readonly string[] {
    const entering = this.#recorded?.messages.get(scope.key) ?? this.#unread(texts);
    for (const message of entering) this.#tell(message, scope);
    return entering.map(said);
  }

  /** Messages that entered nowhere. */
  missed(): readonly NumberedMessage[] {
    return this.#sent.filter(({ number }) => !this.#received.has(number));
  }

  #unread(texts: () => readonly string[]): readonly EnteredMessage[] {
    // Of a recorded run, what entered is known.
    if (this.#sent.length === 0 || this.#recorded !== undefined) return NONE;
    const known = texts();
    return this.#sent
      .filter((message) => !known.some((text) => text.includes(said(message))))
      .map((message) => ({ ...message, isFirst: !this.#received.has(message.number) }));
  }

  #tell({ number, text, isFirst }: EnteredMessage, scope: Scope): void {
    if (isFirst) this.#bus.emit("message.received", { number, text }, scope);
    else this.#bus.emit("message.shared", { number }, scope);
    this.#received.add(number);
  }
}

const NONE: readonly EnteredMessage[] = [];

function said({ number, text }: NumberedMessage): string {
  return `Message ${number} of the person who gave the task:\n${text}`;
}
