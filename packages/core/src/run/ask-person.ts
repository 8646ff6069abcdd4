import { awaitReply, waitingAt } from "./await-reply.ts";
import { childScope, type Frame } from "./run-scope.ts";

/** A question of a stage. */
export interface Question {
  readonly question: string;
  readonly options?: readonly string[];
  readonly timeoutMs?: number;
}

/** Asks a person; unanswered where nobody is there, or when the time is up. */
export async function askPerson(
  frame: Frame,
  key: string,
  question: Question,
): Promise<{ readonly answered: boolean; readonly reply: string }> {
  const { people, bus, linked } = frame.run;
  const { timeoutMs } = question;
  // What a tool asks may hold its key: who shows the question is no event sink.
  const options = (question.options ?? []).map((option) => linked.redactor.text(option));
  const scope = childScope(frame, key);
  const told = { id: key, question: linked.redactor.text(question.question), options };
  const tell = (): void =>
    bus.emit(
      "question.asked",
      { ...told, ...(timeoutMs === undefined ? {} : { expiresMs: timeoutMs }) },
      scope,
    );
  const end = (
    answered: boolean,
    reply: string,
    by: "person" | "timeout" | "no-terminal",
  ): { answered: boolean; reply: string } => {
    bus.emit("question.answered", { id: key, answered, reply, by }, scope);
    return { answered, reply };
  };
  if (!people.isPresent) {
    tell();
    return end(false, "", "no-terminal");
  }
  const request = { kind: "question" as const, ...told, ...waitingAt(frame, timeoutMs) };
  const reply = await awaitReply(frame, { request, timeoutMs, tell });
  if (reply === undefined) return end(false, "", "timeout");
  if ("answered" in reply) return end(false, "", "no-terminal");
  return "reply" in reply ? end(true, reply.reply, "person") : end(false, "", "person");
}
