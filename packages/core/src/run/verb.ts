import { untilAborted } from "../calls/until-aborted.ts";
import { InternalError } from "../errors/loopwright-error.ts";
import { childScope, type Frame } from "./run-scope.ts";

/** Runs one verb of a strategy: derives its step key, and refuses a second one while it is pending. */
export function verb<T>(
  frame: Frame,
  name: string,
  action: (key: string) => Promise<T>,
): Promise<T> {
  const refusal = refusalOf(frame, name);
  if (refusal !== undefined) return letGo(Promise.reject(refusal));
  const count = frame.counters.get(name) ?? 0;
  frame.counters.set(name, count + 1);
  const key = `${frame.key}/${name}:${count}`;
  const over = (): void => {
    frame.pendingVerb = undefined;
  };
  const pending = { name, settled: Promise.resolve() };
  frame.pendingVerb = pending;
  const room = frame.run.room();
  const begin = (): Promise<T> => {
    frame.run.live.arrive(key, () => childScope(frame, key));
    return action(key);
  };
  const result = room === undefined ? begin() : untilAborted(() => room, frame.signal).then(begin);
  // A strategy that lets go of a verb is told by its stage, never by an unhandled rejection.
  pending.settled = result.then(over, over);
  return result;
}

/** Why a verb can't be started now. */
function refusalOf(frame: Frame, name: string): Error | undefined {
  if (frame.pendingVerb !== undefined) return verbPending(frame, name, frame.pendingVerb.name);
  if (frame.isClosed) {
    return new InternalError(
      "verb-pending",
      `stage \`${frame.scope.stage}\` started \`${name}\` after its end; every verb is awaited`,
    );
  }
  return frame.signal.aborted ? (frame.signal.reason as Error) : undefined;
}

function letGo<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}

function verbPending(frame: Frame, name: string, pending: string): InternalError {
  return new InternalError(
    "verb-pending",
    `stage \`${frame.scope.stage}\` started \`${name}\` while \`${pending}\` was pending; one verb at a time, concurrency goes through fanOut`,
  );
}
