import type { Json } from "../contracts/json.ts";

/** Something that waits for a person. */
export type PendingRequest =
  | {
      readonly id: string;
      readonly kind: "approval";
      readonly tool: string;
      readonly input: Json;
      readonly reason: string;
    }
  | {
      readonly id: string;
      readonly kind: "question";
      readonly question: string;
      readonly options: readonly string[];
    };

/** A person's reply: to an approval, to a question, or that nobody will reply. */
export type PersonReply =
  | { readonly approved: boolean; readonly reason?: string }
  | { readonly reply: string }
  | { readonly answered: false };

/** Holds what waits for a person, until the host replies, the time is up, or the run ends. */
export class People {
  /** False where nobody can be asked: every request is settled at once without a person. */
  readonly isPresent: boolean;
  readonly #pending = new Map<
    string,
    { readonly request: PendingRequest; readonly settle: (reply: PersonReply) => void }
  >();
  readonly #onChange: (waiting: number) => void;

  constructor(options: {
    readonly isPresent: boolean;
    readonly onChange: (waiting: number) => void;
  }) {
    this.isPresent = options.isPresent;
    this.#onChange = options.onChange;
  }

  pending(): readonly PendingRequest[] {
    return [...this.#pending.values()].map(({ request }) => request);
  }

  /** Registers a request; the promise resolves when `respond` is called with its id. */
  ask(request: PendingRequest): Promise<PersonReply> {
    return new Promise((resolve) => {
      this.#pending.set(request.id, { request, settle: resolve });
      this.#onChange(this.#pending.size);
    });
  }

  /** Settles a request; false when nothing waits under this id, or when the reply does not fit what is asked: then it waits on. */
  respond(id: string, reply: PersonReply): boolean {
    const waiting = this.#pending.get(id);
    if (waiting === undefined || !fits(reply, waiting.request)) return false;
    this.#pending.delete(id);
    this.#onChange(this.#pending.size);
    waiting.settle(reply);
    return true;
  }

  /** Forgets a request that nobody needs any more. */
  withdraw(id: string): void {
    if (this.#pending.delete(id)) this.#onChange(this.#pending.size);
  }
}

/** Hosts pass on what a person or another program sent, so nothing about a reply is taken for granted. */
function fits(reply: unknown, request: PendingRequest): boolean {
  if (typeof reply !== "object" || reply === null) return false;
  const { approved, reason, reply: text, answered } = reply as Readonly<Record<string, unknown>>;
  const said = [approved, text, answered].filter((part) => part !== undefined);
  if (said.length !== 1) return false;
  if (answered !== undefined) return answered === false;
  if (request.kind === "approval")
    return typeof approved === "boolean" && (reason === undefined || typeof reason === "string");
  return (
    typeof text === "string" && (request.options.length === 0 || request.options.includes(text))
  );
}
