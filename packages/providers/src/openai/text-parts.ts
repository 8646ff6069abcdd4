import type { Delta } from "@loopwright/core/plugin";
import { closingTag, THINKING_CLOSE, THINKING_OPEN } from "./closing-tag.ts";

const OPEN = THINKING_OPEN;
const CLOSE = THINKING_CLOSE;

/** How a text is read. */
export interface TextReading {
  /** Whether thinking may stand in it, between `<think>` and `</think>` or before the closing tag alone. */
  readonly mayThink: boolean;
  /** Whether the model is known to think: what it begins with is then held back until a tag says what it is. */
  readonly isThinking: boolean;
  readonly onDelta?: ((delta: Delta) => void) | undefined;
}

/**
 * Puts text and reasoning together from their pieces, and tells each piece as what it is.
 *
 * Models on servers of one's own often write the closing tag alone: what stands before it is then reasoning, and kept as such,
 * so that an answer which speaks of the tag loses nothing.
 */
export class TextParts {
  readonly #reading: TextReading;
  #state: "start" | "thinking" | "unsure" | "answer";
  /** What is held back, and whether it is nothing but blanks. */
  #rest = "";
  #isBlank = true;
  #isHolding: boolean;
  /** The end of what was held back before, in which a closing tag may have begun. */
  #tail = "";
  #text = "";
  #reasoning = "";
  #hasThought = false;

  constructor(reading: TextReading) {
    this.#reading = reading;
    this.#state = reading.mayThink ? "start" : "answer";
    this.#isHolding = reading.isThinking;
  }

  /** Adds reasoning that came in a field of its own: the text is then no reasoning. */
  addReasoning(piece: string): void {
    if (piece === "") return;
    this.#tellReasoning(piece);
    if (this.#state === "start" || this.#state === "unsure") this.#answer("");
  }

  addText(piece: string): void {
    if (piece === "") return;
    const isBegun = this.#state !== "start";
    this.#hold(piece);
    if (!isBegun && !this.#isBlank) this.#begin();
    if (this.#state === "thinking") this.#think();
    else if (this.#state === "unsure") this.#wait(isBegun ? piece : this.#rest);
    else if (this.#state === "answer") this.#answer("");
  }

  /** The whole; a text of blanks is none. */
  finish(): { readonly text: string; readonly reasoning: string } {
    if (this.#state === "thinking") this.#tellReasoning(this.#rest);
    else if (this.#text !== "" || !this.#isBlank) this.#tellText(this.#rest);
    const { isThinking } = this.#reading;
    const closing = this.#state === "unsure" ? closingTag(this.#text, isThinking) : -1;
    if (closing < 0) return { text: this.#text, reasoning: this.#trimmed() };
    this.#reasoning = this.#text.slice(0, closing);
    this.#hasThought = true;
    const text = this.#text.slice(closing + CLOSE.length).trimStart();
    return { text, reasoning: this.#trimmed() };
  }

  #begin(): void {
    const lead = this.#rest.trimStart();
    if (lead.length < OPEN.length && OPEN.startsWith(lead)) return;
    if (!lead.startsWith(OPEN)) {
      // JSON and code may hold a tag; a model that thinks may begin its thoughts like them.
      const isAnswer = /^[{[`]/.test(lead) && !this.#reading.isThinking;
      this.#state = isAnswer ? "answer" : "unsure";
      return;
    }
    this.#rest = lead.slice(OPEN.length);
    this.#hasThought = true;
    this.#state = "thinking";
  }

  #think(): void {
    const rest = this.#take();
    const end = rest.indexOf(CLOSE);
    if (end >= 0) {
      this.#tellReasoning(rest.slice(0, end));
      this.#answer(rest.slice(end + CLOSE.length));
      return;
    }
    const held = partialTag(rest);
    this.#tellReasoning(rest.slice(0, rest.length - held));
    this.#hold(rest.slice(rest.length - held));
  }

  /** A closing tag may still come, and make reasoning of what stands before it; one that is quoted says that it does not. */
  #wait(piece: string): void {
    if (this.#isHolding) {
      const last = this.#tail + piece;
      this.#tail = last.slice(1 - CLOSE.length);
      if (!last.includes(CLOSE)) return;
      const closing = closingTag(this.#rest, true);
      if (closing >= 0) {
        const rest = this.#take();
        this.#hasThought = true;
        this.#tellReasoning(rest.slice(0, closing));
        this.#answer(rest.slice(closing + CLOSE.length));
        return;
      }
      this.#isHolding = false;
    }
    this.#tellText(this.#take());
  }

  /** Blanks are held back until there is more, and left out behind reasoning that stood in the text. */
  #answer(piece: string): void {
    this.#state = "answer";
    this.#hold(piece);
    if (this.#text === "" && this.#isBlank) return;
    const isFirst = this.#text === "" && this.#hasThought;
    const text = this.#take();
    this.#tellText(isFirst ? text.trimStart() : text);
  }

  #hold(piece: string): void {
    this.#rest += piece;
    if (piece.trim() !== "") this.#isBlank = false;
  }

  #take(): string {
    const text = this.#rest;
    this.#rest = "";
    this.#isBlank = true;
    return text;
  }

  #tellText(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#reading.onDelta?.({ kind: "text", text });
  }

  #tellReasoning(text: string): void {
    if (text === "") return;
    this.#reasoning += text;
    this.#reading.onDelta?.({ kind: "reasoning", text });
  }

  #trimmed(): string {
    return this.#hasThought ? this.#reasoning.trim() : this.#reasoning;
  }
}

/** How much of the end of a text may be the beginning of a closing tag. */
function partialTag(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--)
    if (CLOSE.startsWith(text.slice(-length))) return length;
  return 0;
}
