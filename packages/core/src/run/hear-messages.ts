import type { Message } from "../contracts/message.ts";
import type { GenerateRequest } from "../contracts/strategy-context.ts";
import { languageOf } from "./language-of.ts";
import { childScope, type Frame } from "./run-scope.ts";

/** Adds what people have said to the task of a stage that begins, so that all its prompts hold it. */
export function hearInTask(frame: Frame): void {
  const { task } = frame.state;
  const { scope, run } = frame;
  const text = run.live.messages.entering({
    scope,
    into: "task",
    texts: () => [task.text],
    language: languageOf(frame),
    join: (heard) => [task.text, ...heard].join("\n\n"),
  });
  if (text !== undefined) frame.state = { ...frame.state, task: { ...task, text } };
}

/**
 * What is sent, with what people have said since the last call as the last message of the user; only for a talk that goes
 * on over several calls: any other prompt reads the task anew.
 */
export function hearing(
  frame: Frame,
  key: string,
  { messages, tools }: GenerateRequest,
  sent: readonly Message[],
): readonly Message[] {
  if (messages === undefined && tools !== true) return sent;
  const last = sent.at(-1);
  // Some endpoints want the roles to alternate.
  const [before, open] = last?.role === "user" ? [sent.slice(0, -1), [last.text]] : [sent, []];
  const text = frame.run.live.messages.entering({
    scope: childScope(frame, key),
    into: "talk",
    texts: () => sent.flatMap((message) => (message.role === "user" ? [message.text] : [])),
    language: languageOf(frame),
    join: (heard) => [...open, ...heard].join("\n\n"),
  });
  return text === undefined ? sent : [...before, { role: "user", text }];
}
