import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type { Effect } from "../contracts/tool.ts";

/** Where a request comes from, and how long it waits. */
interface Waiting {
  /** The step key: unique in the run, and equal on every replay of it. */
  readonly id: string;
  /** The stage that waits. */
  readonly stage: string;
  /** The branch of a fan-out or the agent inside which it waits, like `item:2`; empty outside. */
  readonly branch: string;
  /** Milliseconds since the epoch at which it is settled without a person; missing where it waits for ever. */
  readonly expiresAt?: number;
}

/** A tool call that waits for a person's approval; a dry run never asks for one. */
export interface PendingApproval extends Waiting {
  readonly kind: "approval";
  readonly tool: string;
  /** The arguments of the call, a copy of its own. */
  readonly input: JsonObject;
  /** Why a person is asked. */
  readonly reason: string;
  readonly effect: Effect;
  /** What arguments fit, for a form to change them in. */
  readonly schema: JsonSchema;
}

/** A question that waits for a person's reply. */
export interface PendingQuestion extends Waiting {
  readonly kind: "question";
  readonly question: string;
  /** What can be replied; anything where there are none. */
  readonly options: readonly string[];
}

/** Something that waits for a person. */
export type PendingRequest = PendingApproval | PendingQuestion;

/**
 * A person's reply: to an approval, to a question, or that nobody will reply.
 *
 * `input` approves the call with other arguments: all of them, in the form that the tool takes. `by` says that a rule of
 * the host decided, and no person looked.
 */
export type PersonReply =
  | {
      readonly approved: boolean;
      readonly input?: Json;
      readonly reason?: string;
      readonly by?: "person" | "policy";
    }
  | { readonly reply: string }
  | { readonly answered: false };
