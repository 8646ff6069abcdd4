import { HeldTerminal, type TerminalStream } from "../held-terminal.ts";
import { type BatchProgress, progressText } from "./progress-text.ts";

const REDRAW_MS = 100;
/** Where nothing can be redrawn, one line so often at the most. */
const PLAIN_MS = 10_000;
const ERASE_LINE = "\r\u001B[2K";

/** Shows progress on one line of a terminal, or now and then on a line of its own. */
export class ProgressLine {
  readonly #terminal: HeldTerminal;
  readonly #isQuiet: boolean;
  #shownAt: number;

  constructor(
    stream: TerminalStream,
    options: {
      readonly env: Readonly<Record<string, string | undefined>>;
      readonly isQuiet: boolean;
      readonly now: number;
    },
  ) {
    this.#terminal = new HeldTerminal(stream, options.env);
    this.#isQuiet = options.isQuiet;
    // A terminal shows it at once; a log waits its time.
    this.#shownAt = this.#terminal.isInteractive ? -Infinity : options.now;
  }

  /** Shows it, unless it was shown just now. */
  show(progress: () => BatchProgress, now: number): void {
    const { isInteractive } = this.#terminal;
    if (this.#isQuiet || now - this.#shownAt < (isInteractive ? REDRAW_MS : PLAIN_MS)) return;
    this.#shownAt = now;
    // The last column stays free: a full line wraps in some terminals.
    const width = (this.#terminal.columns() ?? 80) - 1;
    if (isInteractive) this.#terminal.write(`${ERASE_LINE}${progressText(progress(), width)}`);
    else this.#terminal.write(`${progressText(progress(), 79)}\n`);
  }

  /** Prints a message on lines of its own. */
  tell(text: string): void {
    this.#terminal.aside(() => this.#terminal.write(`loopwright: ${text}\n`));
  }

  /** Takes the line away. */
  clear(): void {
    this.#terminal.aside(() => undefined);
  }
}
