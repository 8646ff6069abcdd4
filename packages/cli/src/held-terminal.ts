import type { Terminal } from "@loopwright/core";

/** What a terminal prints to: `process.stdout`, `process.stderr`, or a test's. */
export interface TerminalStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const ERASE_LINE = "\r\u001B[2K";

/**
 * A terminal that sinks print to and that can be held: while a person is asked, what is printed waits, and a live line
 * that stands open is erased before.
 */
export class HeldTerminal implements Terminal {
  readonly isInteractive: boolean;
  readonly hasColors: boolean;
  readonly #stream: TerminalStream;
  readonly #waiting: (() => void)[] = [];
  #isHeld = false;
  #isLineOpen = false;

  constructor(stream: TerminalStream, env: Readonly<Record<string, string | undefined>>) {
    this.#stream = stream;
    const isTerminal = stream.isTTY === true;
    this.isInteractive = isTerminal && env["TERM"] !== "dumb";
    this.hasColors = hasColors(this.isInteractive, env);
  }

  columns(): number | undefined {
    const { columns } = this.#stream;
    // A terminal that does not know its width says 0.
    return columns === 0 ? undefined : columns;
  }

  write(text: string): void {
    if (text === "") return;
    this.#do(() => {
      this.#isLineOpen = !text.endsWith("\n") && !text.endsWith(ERASE_LINE);
      this.#stream.write(text);
    });
  }

  /** Prints somewhere else on the same screen, where no live line stands. */
  aside(print: () => void): void {
    this.#do(() => {
      this.#eraseOpenLine();
      print();
    });
  }

  /** Holds what is printed from now on; the returned function lets it out. */
  hold(): () => void {
    this.#eraseOpenLine();
    this.#isHeld = true;
    return () => {
      this.#isHeld = false;
      for (const print of this.#waiting.splice(0)) print();
    };
  }

  #do(print: () => void): void {
    if (this.#isHeld) this.#waiting.push(print);
    else print();
  }

  #eraseOpenLine(): void {
    if (this.#isLineOpen && this.isInteractive) this.#stream.write(ERASE_LINE);
    this.#isLineOpen = false;
  }
}

function hasColors(
  isInteractive: boolean,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== "";
  if (isSet("NO_COLOR")) return false;
  return isInteractive || (isSet("FORCE_COLOR") && env["FORCE_COLOR"] !== "0");
}
