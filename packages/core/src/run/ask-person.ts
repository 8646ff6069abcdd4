import { untilAborted } from "../calls/until-aborted.ts";
import { childScope, type Frame } from "./run-scope.ts";

/** A question of a stage. */
export interface Question {
  readonly question: string;
  readonly options?: readonly string[];
  readonly timeoutMs?: number;
}

const TIMEOUT = Symbol("timeout");

/** Asks a person; unanswered where nobody is there, or when the time is up. */
export async function askPerson(
  frame: Frame,
  key: string,
  question: Question,
): Promise<{ readonly answered: boolean; readonly reply: string }> {
  const { people, bus, linked } = frame.run;
  const options = question.options ?? [];
  const scope = childScope(frame, key);
  const told = { id: key, question: question.question, options };
  const end = (
    answered: boolean,
    reply: string,
    by: "person" | "timeout" | "no-terminal",
  ): { answered: boolean; reply: string } => {
    bus.emit("question.answered", { id: key, answered, reply, by }, scope);
    return { answered, reply };
  };
  if (!people.isPresent) {
    bus.emit("question.asked", told, scope);
    return end(false, "", "no-terminal");
  }
  let cancel: (() => void) | undefined;
  const timeout = new Promise<typeof TIMEOUT>((resolve) => {
    if (question.timeoutMs !== undefined)
      cancel = linked.clock.after(question.timeoutMs, () => resolve(TIMEOUT));
  });
  try {
    const reply = await untilAborted(() => {
      // It waits before it is told: a listener may reply at once.
      const asked = people.ask({ kind: "question", ...told });
      bus.emit("question.asked", told, scope);
      return Promise.race([asked, timeout]);
    }, frame.signal);
    if (reply === TIMEOUT) return end(false, "", "timeout");
    if ("answered" in reply) return end(false, "", "no-terminal");
    return "reply" in reply ? end(true, reply.reply, "person") : end(false, "", "person");
  } finally {
    cancel?.();
    people.withdraw(key);
  }
}
