import type { Json, JsonObject } from "../contracts/json.ts";
import type { PendingRequest, PersonReply } from "./pending-request.ts";

/** Arguments that a person gave: as the tool takes them, or what is wrong with them. */
export type ReviewedInput =
  | { readonly isFit: true; readonly input: JsonObject }
  | { readonly isFit: false; readonly problem: string };

/** Looks at the arguments that a person approves instead of those that were asked for. */
export type ReviewInput = (input: Json) => ReviewedInput;

interface Waiting {
  readonly request: PendingRequest;
  readonly review: ReviewInput | undefined;
  readonly settle: (reply: PersonReply) => void;
}

/** What was asked, as the log holds it. */
export type Asked =
  | { readonly kind: "approval"; readonly tool: string; readonly input: Json }
  | { readonly kind: "question"; readonly question: string; readonly options: readonly string[] };

/** A reply, `timeout` where none came in time, and what it replied to. */
export interface RecordedReply {
  readonly asked: Asked;
  readonly reply: PersonReply | "timeout";
}

/** Replies by the ids of their requests. */
export type RecordedReplies = ReadonlyMap<string, RecordedReply>;

/** A reply as it is taken, or what is wrong with it. */
type ReadReply =
  | { readonly reply: PersonReply; readonly problems: readonly [] }
  | { readonly reply?: undefined; readonly problems: readonly string[] };

/** Holds what waits for a person, until the host replies, the time is up, or the run ends. */
export class People {
  /** False where nobody can be asked: every request is settled at once without a person. */
  readonly isPresent: boolean;
  readonly #pending = new Map<string, Waiting>();
  readonly #onChange: (waiting: number) => void;
  readonly #recorded: RecordedReplies | undefined;
  readonly #isAnybodyThere: boolean;

  constructor(options: {
    readonly isPresent: boolean;
    /** Those of an earlier run: they come at once. */
    readonly recorded?: RecordedReplies;
    readonly onChange: (waiting: number) => void;
  }) {
    this.#recorded = options.recorded;
    this.#isAnybodyThere = options.isPresent;
    this.isPresent = options.isPresent || options.recorded !== undefined;
    this.#onChange = options.onChange;
  }

  pending(): readonly PendingRequest[] {
    return [...this.#pending.values()].map(({ request }) => request);
  }

  /** Registers a request; the promise resolves when `respond` is called with its id. */
  ask(request: PendingRequest, review?: ReviewInput): Promise<PersonReply> {
    return new Promise((resolve) => {
      this.#pending.set(request.id, { request, review, settle: resolve });
      this.#onChange(this.#pending.size);
    });
  }

  /** The reply that an earlier run got to the same; undefined where there was none, and somebody can be asked. */
  recorded(request: PendingRequest, review?: ReviewInput): PersonReply | "timeout" | undefined {
    if (this.#recorded === undefined) return undefined;
    const given = this.#recorded.get(request.id);
    const recorded = given !== undefined && isSame(given.asked, request) ? given.reply : undefined;
    if (recorded === "timeout") return recorded;
    if (recorded === undefined) return this.#isAnybodyThere ? undefined : { answered: false };
    const settle = (): void => undefined;
    return readReply(recorded, { request, review, settle }).reply ?? { answered: false };
  }

  /** What keeps a reply from being taken; empty where `respond` would take it. */
  problemsWith(id: string, reply: PersonReply): readonly string[] {
    const waiting = this.#pending.get(id);
    if (waiting === undefined) return ["nothing waits for a reply under this id (any more)"];
    return readReply(reply, waiting).problems;
  }

  /** Settles a request; false when nothing waits under this id, or when the reply does not fit what is asked: then it waits on. */
  respond(id: string, reply: PersonReply): boolean {
    const waiting = this.#pending.get(id);
    const read = waiting === undefined ? undefined : readReply(reply, waiting);
    if (waiting === undefined || read?.reply === undefined) return false;
    this.#pending.delete(id);
    this.#onChange(this.#pending.size);
    waiting.settle(read.reply);
    return true;
  }

  /** Forgets a request that nobody needs any more. */
  withdraw(id: string): void {
    if (this.#pending.delete(id)) this.#onChange(this.#pending.size);
  }
}

/** True where a reply to the one is a reply to the other: a reply says nothing about another call or question. */
function isSame(asked: Asked, request: PendingRequest): boolean {
  return JSON.stringify(partsOf(asked)) === JSON.stringify(partsOf(request));
}

function partsOf(asked: Asked): readonly Json[] {
  return asked.kind === "approval"
    ? [asked.kind, asked.tool, asked.input]
    : [asked.kind, asked.question, asked.options];
}

const FORMS = "a reply is `{ approved, input?, reason? }`, `{ reply }` or `{ answered: false }`";

/** Hosts pass on what a person or another program sent, so nothing about a reply is taken for granted. */
function readReply(given: unknown, { request, review }: Waiting): ReadReply {
  if (typeof given !== "object" || given === null) return { problems: [FORMS] };
  const parts = given as Readonly<Record<string, unknown>>;
  const { approved, reply, answered } = parts;
  const said = [approved, reply, answered].filter((part) => part !== undefined);
  if (said.length !== 1) return { problems: [FORMS] };
  if (answered !== undefined)
    return answered === false ? { reply: { answered }, problems: [] } : { problems: [FORMS] };
  if (request.kind === "approval") return readApproval(parts, review);
  if (typeof reply !== "string") return { problems: ["a question is answered with a text"] };
  const { options } = request;
  return options.length === 0 || options.includes(reply)
    ? { reply: { reply }, problems: [] }
    : { problems: [`the question is answered with one of ${options.join(", ")}`] };
}

function readApproval(
  { approved, reason, input, by }: Readonly<Record<string, unknown>>,
  review: ReviewInput | undefined,
): ReadReply {
  if (typeof approved !== "boolean") return { problems: ["`approved` is true or false"] };
  if (reason !== undefined && typeof reason !== "string")
    return { problems: ["`reason` is a text"] };
  if (!isDecider(by)) return { problems: ["`by` is person or policy"] };
  const why = { ...(reason === undefined ? {} : { reason }), ...(by === undefined ? {} : { by }) };
  if (input === undefined) return { reply: { approved, ...why }, problems: [] };
  if (!approved) return { problems: ["arguments go with an approval alone"] };
  const copy = plainCopy(input);
  const reviewed = copy === undefined ? undefined : review?.(copy);
  if (reviewed === undefined) return { problems: ["the arguments are not one JSON object"] };
  return reviewed.isFit
    ? { reply: { approved, input: reviewed.input, ...why }, problems: [] }
    : { problems: [reviewed.problem] };
}

function isDecider(by: unknown): by is "person" | "policy" | undefined {
  return by === undefined || by === "person" || by === "policy";
}

/** A copy, so that nobody changes what was approved afterwards; undefined for what is not plain data. */
function plainCopy(input: unknown): Json | undefined {
  try {
    return JSON.parse(JSON.stringify(input)) as Json;
  } catch {
    return undefined;
  }
}
