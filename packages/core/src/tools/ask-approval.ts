import type { Json, JsonObject } from "../contracts/json.ts";
import type { Scope } from "../events/scope.ts";
import { awaitReply, waitingAt } from "../run/await-reply.ts";
import type { ReviewInput } from "../run/people.ts";
import type { Frame } from "../run/run-scope.ts";
import type { KnownCall } from "./known-call.ts";

/** What a person, or who was asked instead, said about a call; `input` where it may be made with other arguments alone. */
export interface Approval {
  readonly approved: boolean;
  readonly by: "person" | "policy" | "no-terminal" | "timeout";
  readonly reason: string;
  readonly input?: JsonObject;
}

/**
 * Asks a person whether a call may be made; where nobody can be asked, or nobody replies in time, the answer is no. Both
 * are told. An approval is good for this call and these arguments alone.
 */
export async function askApproval(
  frame: Frame,
  scope: Scope,
  known: KnownCall,
  review: ReviewInput,
): Promise<Approval> {
  const { entry, policy, input } = known;
  const { people, bus, linked } = frame.run;
  const { expiresMs } = policy;
  const id = scope.key;
  const reason = policy.reason ?? `the policy of ${entry.name} asks for approval`;
  const told = { id, tool: entry.name, input, reason };
  const until = expiresMs === undefined ? {} : { expiresMs };
  const tell = (): void => bus.emit("approval.requested", { ...told, ...until }, scope);
  const end = (approval: Approval): Approval => {
    bus.emit("approval.given", { id, tool: entry.name, ...approval }, scope);
    return approval;
  };
  if (!people.isPresent) {
    tell();
    return end(NOBODY);
  }
  // Copies: what a host does with them changes neither the call nor the tool. Nor is a host the place for a secret.
  const shown = linked.redactor.data(copyOf(input)) as JsonObject;
  const request = {
    kind: "approval" as const,
    ...told,
    input: copyOf(shown),
    schema: copyOf(entry.input),
    effect: policy.effect,
    ...waitingAt(frame, expiresMs),
  };
  const reply = await awaitReply(frame, { request, timeoutMs: expiresMs, tell, review });
  if (reply === undefined) return end({ approved: false, by: "timeout", reason: "" });
  if (!("approved" in reply)) return end(NOBODY);
  const { approved, reason: why = "", by = "person" } = reply;
  const given = { approved, by, reason: why };
  // What was shown and comes back as it was is the call itself, with what the redactor took out.
  const isOther =
    reply.input !== undefined && ![input, shown].some((one) => isSame(one, reply.input));
  return end(isOther ? { ...given, input: reply.input as JsonObject } : given);
}

const NOBODY: Approval = {
  approved: false,
  by: "no-terminal",
  reason: "nobody is there to be asked",
};

function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function isSame(one: Json, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
