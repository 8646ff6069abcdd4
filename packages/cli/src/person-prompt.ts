import { createInterface } from "node:readline";
import type { PendingApproval, PendingRequest, PersonReply } from "@loopwright/core";
import type { HeldTerminal } from "./held-terminal.ts";
import {
  editedLine,
  promptOf,
  readEdit,
  readLine,
  requestText,
  type TypedLine,
} from "./request-text.ts";
import { screenRows } from "./screen-rows.ts";
import { dropTypedAhead } from "./typed-ahead.ts";

/** The keyboard and the screen of a person. */
export interface PersonPromptOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** What sinks print to: held while a person is asked. */
  readonly terminal: HeldTerminal;
  /** Ctrl-C at the prompt, where the keyboard sends no signal. */
  readonly onInterrupt: () => void;
}

/** What is asked. */
export interface Asked {
  readonly request: PendingRequest;
  /** How many other requests wait. */
  readonly others: number;
  /** Says that nobody needs the reply any more. */
  readonly signal: AbortSignal;
  /** What keeps a reply from being taken. */
  readonly problemsWith: (reply: PersonReply) => readonly string[];
}

/** Asks a person in the terminal. */
export class PersonPrompt {
  readonly #options: PersonPromptOptions;

  constructor(options: PersonPromptOptions) {
    this.#options = options;
  }

  /** Asks until there is a reply that can be taken; undefined when the keyboard is closed, or nobody needs it any more. */
  async ask(asked: Asked): Promise<PersonReply | undefined> {
    const { input, output, terminal, onInterrupt } = this.#options;
    const { request, signal, others } = asked;
    const release = terminal.hold();
    try {
      // What was typed before the question stood there is no reply to it.
      await dropTypedAhead(input, onInterrupt);
      output.write(requestText(request, { others, columns: columnsOf(output) }));
      for (;;) {
        const line = await this.#readLine(promptOf(request), signal);
        if (line === undefined) return undefined;
        const typed = readLine(request, line);
        const reply =
          "edits" in typed && request.kind === "approval"
            ? await this.#edit(request, asked)
            : this.#taken(typed, asked);
        if (reply === "closed") return undefined;
        if (reply !== undefined) return reply;
      }
    } finally {
      release();
    }
  }

  /** Lets the arguments be changed until they can be taken; undefined for an empty line, which changes nothing. */
  async #edit(
    { input }: PendingApproval,
    asked: Asked,
  ): Promise<PersonReply | "closed" | undefined> {
    let draft = editedLine(input);
    for (;;) {
      const line = await this.#readLine("arguments: ", asked.signal, draft);
      if (line === undefined) return "closed";
      if (line.trim() === "") return undefined;
      const reply = this.#taken(readEdit(line), asked);
      if (reply !== undefined) return reply;
      draft = line;
    }
  }

  /** The reply of a line; undefined where it must be asked again, after it was said why. */
  #taken(typed: TypedLine, { problemsWith }: Asked): PersonReply | undefined {
    const { output } = this.#options;
    if ("again" in typed) output.write(typed.again);
    if (!("reply" in typed)) return undefined;
    const problems = problemsWith(typed.reply);
    for (const problem of problems)
      output.write(`${screenRows(problem, columnsOf(output), "  ")}\n`);
    return problems.length === 0 ? typed.reply : undefined;
  }

  #readLine(prompt: string, signal: AbortSignal, draft = ""): Promise<string | undefined> {
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
      // A terminal that can't go back has no key to change a draft with: there the whole is typed.
      const canEdit = reader.terminal && process.env["TERM"] !== "dumb";
      if (draft !== "" && canEdit) reader.write(draft);
    });
  }
}

/** How wide the screen is; one that does not know it says 0, or nothing. */
function columnsOf(output: NodeJS.WritableStream): number | undefined {
  const { columns } = output as { readonly columns?: number };
  return columns === 0 ? undefined : columns;
}
