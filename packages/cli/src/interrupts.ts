import { EXIT_CODES } from "./exit-codes.ts";

/** Two signals so close together are one Ctrl-C that reached the process on two ways. */
const SAME_PRESS_MS = 150;

/** What the interrupts of a run do. */
export interface InterruptActions {
  /** The first one: ends the run. */
  readonly abort: (reason: string) => void;
  /** Tells the person what happens. */
  readonly tell: (text: string) => void;
  /** A second Ctrl-C: ends the process. */
  readonly kill: (exitCode: number) => void;
  readonly now: () => number;
}

/** Ends a run at the first Ctrl-C and the process at the second. */
export class Interrupts {
  readonly #actions: InterruptActions;
  #first: number | undefined;

  constructor(actions: InterruptActions) {
    this.#actions = actions;
  }

  /** Listens to the signals of the process; returns the way out. */
  listen(): () => void {
    const interrupt = (): void => this.press();
    const terminate = (): void => this.#actions.abort("the process was told to terminate");
    process.on("SIGINT", interrupt);
    process.on("SIGTERM", terminate);
    process.on("SIGHUP", terminate);
    return () => {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", terminate);
      process.off("SIGHUP", terminate);
    };
  }

  /** One Ctrl-C, from a signal or from a prompt that reads the keyboard itself. */
  press(): void {
    const { abort, tell, kill, now } = this.#actions;
    if (this.#first === undefined) {
      this.#first = now();
      tell("stopping; once more to kill");
      abort("interrupted by Ctrl-C");
    } else if (now() - this.#first > SAME_PRESS_MS) kill(EXIT_CODES.killed);
  }
}
