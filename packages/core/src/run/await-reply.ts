import { onAborted, untilAborted } from "../calls/until-aborted.ts";
import type { ReviewInput } from "./people.ts";
import type { PendingRequest, PersonReply } from "./pending-request.ts";
import type { Frame } from "./run-scope.ts";

/** What a request waits for. */
interface Awaited {
  readonly request: PendingRequest;
  /** How long it waits; missing for ever. */
  readonly timeoutMs: number | undefined;
  /** Tells that it waits. */
  readonly tell: () => void;
  readonly review?: ReviewInput;
}

/** Waits for a person's reply: undefined when the time is up; throws when the frame's work must end. */
export async function awaitReply(frame: Frame, awaited: Awaited): Promise<PersonReply | undefined> {
  const { people, linked } = frame.run;
  const { request, timeoutMs, tell, review } = awaited;
  const recorded = people.recorded(request, review);
  if (recorded !== undefined) {
    tell();
    return recorded === "timeout" ? undefined : recorded;
  }
  // Withdrawn at once: a reply that comes too late is told so.
  const withdraw = (): void => people.withdraw(request.id);
  let cancel: (() => void) | undefined;
  let release: (() => void) | undefined;
  try {
    return await untilAborted(() => {
      release = onAborted(frame.signal, withdraw);
      const timeUp = new Promise<undefined>((resolve) => {
        if (timeoutMs === undefined) return;
        cancel = linked.clock.after(timeoutMs, () => {
          withdraw();
          resolve(undefined);
        });
      });
      // It waits before it is told: a listener may reply at once.
      const asked = people.ask(request, review);
      tell();
      return Promise.race([asked, timeUp]);
    }, frame.signal);
  } finally {
    cancel?.();
    release?.();
    withdraw();
  }
}

/** Where a request comes from and until when it waits, as a host reads it. */
export function waitingAt(
  { branch, scope, run }: Frame,
  timeoutMs: number | undefined,
): Pick<PendingRequest, "stage" | "branch" | "expiresAt"> {
  const until = timeoutMs === undefined ? {} : { expiresAt: run.linked.clock.now() + timeoutMs };
  return { stage: scope.stage, branch: branch.replace(/\.$/u, ""), ...until };
}
