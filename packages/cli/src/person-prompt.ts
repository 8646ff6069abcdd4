import { createInterface } from "node:readline";
import type { PendingRequest, PersonReply } from "@loopwright/core";
import type { HeldTerminal } from "./held-terminal.ts";
import { promptOf, readReply, requestText } from "./request-text.ts";

/** The keyboard and the screen of a person. */
export interface PersonPromptOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** What sinks print to: held while a person is asked. */
  readonly terminal: HeldTerminal;
  /** Ctrl-C at the prompt, where the keyboard sends no signal. */
  readonly onInterrupt: () => void;
}

/** Asks a person in the terminal. */
export class PersonPrompt {
  readonly #options: PersonPromptOptions;

  constructor(options: PersonPromptOptions) {
    this.#options = options;
  }

  /** Asks until there is a reply; undefined when the keyboard is closed, or the signal says that nobody needs it. */
  async ask(request: PendingRequest, signal: AbortSignal): Promise<PersonReply | undefined> {
    const { output, terminal } = this.#options;
    const release = terminal.hold();
    try {
      output.write(requestText(request));
      for (;;) {
        const line = await this.#readLine(promptOf(request), signal);
        if (line === undefined) return undefined;
        const reply = readReply(request, line);
        if (reply !== undefined) return reply;
      }
    } finally {
      release();
    }
  }

  #readLine(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    const { input, output, onInterrupt } = this.#options;
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const reader = createInterface({ input, output });
      let line: string | undefined;
      const close = (): void => reader.close();
      signal.addEventListener("abort", close, { once: true });
      reader.on("SIGINT", onInterrupt);
      reader.once("close", () => {
        signal.removeEventListener("abort", close);
        if (line === undefined) output.write("\n");
        resolve(line);
      });
      reader.question(prompt, (typed) => {
        line = typed;
        reader.close();
      });
    });
  }
}
