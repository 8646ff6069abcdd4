import type { Json } from "./json.ts";

/** What people do with a run while it goes: approvals, questions, messages, switches. */
export interface LiveEvents {
  /** A switch was thrown: what it turns off, and the limits that it lowers. */
  "switch.changed": {
    readonly switch: string;
    readonly isOn: boolean;
    readonly stages: readonly string[];
    readonly tools: readonly string[];
    readonly limits: {
      readonly modelCalls?: number;
      readonly toolCalls?: number;
      readonly tokens?: number;
      readonly usd?: number;
      readonly timeMs?: number;
      readonly workTimeMs?: number;
    };
  };
  /** What a person said to the run entered the work for the first time, numbered from 1. */
  "message.received": { readonly number: number; readonly text: string };
  /** The same message entered another conversation, or the task of a further stage. */
  "message.shared": { readonly number: number };
  /** The run ended before the message entered anywhere. */
  "message.missed": { readonly number: number; readonly text: string };
  "approval.requested": {
    readonly id: string;
    readonly tool: string;
    readonly input: Json;
    readonly reason: string;
    /** How long a reply is waited for. */
    readonly expiresMs?: number;
  };
  "approval.given": {
    readonly id: string;
    readonly tool: string;
    readonly approved: boolean;
    readonly by: "person" | "policy" | "no-terminal" | "timeout";
    readonly reason: string;
    /** The arguments as the person changed them. */
    readonly input?: Json;
  };
  "question.asked": {
    readonly id: string;
    readonly question: string;
    readonly options: readonly string[];
    /** How long a reply is waited for. */
    readonly expiresMs?: number;
  };
  "question.answered": {
    readonly id: string;
    readonly answered: boolean;
    readonly reply: string;
    readonly by: "person" | "timeout" | "no-terminal";
  };
}
