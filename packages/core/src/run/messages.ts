import type { Redactor } from "../events/redactor.ts";
import { definePrompt, type Language, wordsIn } from "../contracts/prompt.ts";
import type { RunBus } from "../events/run-bus.ts";
import type { Scope } from "../events/scope.ts";
import { defuseFences, withoutFenced } from "./observation-text.ts";
import type { EnteredMessage, NumberedMessage, RecordedInput } from "./recorded-input.ts";

/** Where something enters that people said. */
export interface Entrance {
  readonly scope: Scope;
  /** The task of a stage, which its prompts quote, or a talk, whose messages only grow at their end. */
  readonly into: "task" | "talk";
  /** What is said there to a model in the name of the user. */
  readonly texts: () => readonly string[];
  /** The text that there is once messages have entered, as they are said to a model. */
  readonly join: (entering: readonly string[]) => string;
  /** In which a message is introduced; English where it is left out. */
  readonly language?: Language;
}

/** A text as it was once messages had entered it. */
interface Entered {
  readonly text: string;
  readonly into: Entrance["into"];
  readonly numbers: readonly number[];
  /** True where it is the messages alone, and nothing that they were joined to. */
  readonly isAlone: boolean;
}

/**
 * What people say to a run while it works.
 *
 * A message enters every conversation that goes on at its next model call, and the task of every stage that starts later,
 * unless it has entered there before; where it enters first it is told, and where it enters again too. Where it has entered
 * is known from the whole texts that it made: nothing else that says the same counts.
 */
export class Messages {
  readonly #sent: NumberedMessage[] = [];
  readonly #received = new Set<number>();
  readonly #entered: Entered[] = [];
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

  /** The text with what enters here, in the order in which it was sent; undefined where nothing does. */
  entering({ scope, into, texts, join, language = "en" }: Entrance): string | undefined {
    const entering = this.#recorded?.messages.get(scope.key) ?? this.#unread(texts);
    if (entering.length === 0) return undefined;
    for (const message of entering) this.#tell(message, scope);
    const heard = entering.map(({ number, text: message }) =>
      wordsIn(language, SAID, { number, message }),
    );
    const text = join(heard);
    const numbers = entering.map(({ number }) => number);
    const isAlone = text === heard.join("\n\n");
    this.#entered.push({ text, into, numbers, isAlone });
    // As a brief quotes it.
    const quoted = defuseFences(text);
    if (quoted !== text) this.#entered.push({ text: quoted, into, numbers, isAlone });
    return text;
  }

  /** Messages that entered nowhere. */
  missed(): readonly NumberedMessage[] {
    return this.#sent.filter(({ number }) => !this.#received.has(number));
  }

  #unread(texts: () => readonly string[]): readonly EnteredMessage[] {
    // Of a recorded run, what entered is known.
    if (this.#sent.length === 0 || this.#recorded !== undefined) return NONE;
    const known = this.#numbersIn(texts());
    return this.#sent
      .filter(({ number }) => !known.has(number))
      .map((message) => ({ ...message, isFirst: !this.#received.has(message.number) }));
  }

  #numbersIn(texts: readonly string[]): ReadonlySet<number> {
    const found = this.#entered.filter((entered) => texts.some((text) => holds(text, entered)));
    return new Set(found.flatMap(({ numbers }) => numbers));
  }

  #tell({ number, text, isFirst }: EnteredMessage, scope: Scope): void {
    if (isFirst) this.#bus.emit("message.received", { number, text }, scope);
    else this.#bus.emit("message.shared", { number }, scope);
    this.#received.add(number);
  }
}

const NONE: readonly EnteredMessage[] = [];

/**
 * True where a text is, or quotes, what messages have entered: whole, and not in what a tool returned. A history may show the
 * results before a message shortened. Messages that were joined to nothing are known at the beginning of a text alone.
 */
function holds(text: string, { text: made, into, isAlone }: Entered): boolean {
  const [own, part] = [withoutFenced(text), withoutFenced(made)];
  if (into === "talk" && isAlone) return own.startsWith(part) && isBreak(own[part.length]);
  for (let at = own.indexOf(part); at >= 0; at = own.indexOf(part, at + 1))
    if (isBreak(own[at - 1]) && isBreak(own[at + part.length])) return true;
  return false;
}

function isBreak(character: string | undefined): boolean {
  return character === undefined || character === "\n";
}

const SAID = definePrompt({
  en: "Message {{number}} of the person who gave the task:\n{{message}}",
  zh: "任务提出者的第 {{number}} 条消息：\n{{message}}",
});
