import type { JsonObject } from "../contracts/json.ts";
import type { Scope } from "../events/scope.ts";
import type { Frame } from "../run/run-scope.ts";
import { policyOf } from "./stage-tool.ts";
import { untilAborted } from "../calls/until-aborted.ts";

/** Asks a person whether a call may be made; where nobody can be asked the answer is no, and both are told. */
export async function askApproval(
  frame: Frame,
  scope: Scope,
  tool: string,
  input: JsonObject,
): Promise<{ readonly approved: boolean; readonly reason: string }> {
  const { people, bus } = frame.run;
  const id = scope.key;
  const entry = frame.run.linked.program.tools.get(tool);
  const said = entry === undefined ? undefined : policyOf(frame, entry).reason;
  const reason = said ?? `the policy of ${tool} asks for approval`;
  const told = { id, tool, input, reason };
  const tell = (
    approved: boolean,
    by: "person" | "no-terminal",
    why: string,
  ): { approved: boolean; reason: string } => {
    bus.emit("approval.given", { id, tool, approved, by, reason: why }, scope);
    return { approved, reason: why };
  };
  if (!people.isPresent) {
    bus.emit("approval.requested", told, scope);
    return tell(false, "no-terminal", "nobody is there to be asked");
  }
  try {
    const reply = await untilAborted(() => {
      // It waits before it is told: a listener may reply at once.
      const asked = people.ask({ kind: "approval", ...told });
      bus.emit("approval.requested", told, scope);
      return asked;
    }, frame.signal);
    if ("answered" in reply) return tell(false, "no-terminal", "nobody is there to be asked");
    return "approved" in reply
      ? tell(reply.approved, "person", reply.reason ?? "")
      : tell(false, "person", reply.reply);
  } finally {
    people.withdraw(id);
  }
}
