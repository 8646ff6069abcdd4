import type { Message } from "../contracts/message.ts";
import { definePrompt } from "../contracts/prompt.ts";
import type { AnswerTarget } from "./answer-target.ts";
import { misfitBesideTools } from "./fit-reply.ts";
import { say } from "./language-of.ts";
import type { Frame } from "./run-scope.ts";

/** What a model is told, after the results of its calls, of an object beside those calls that is no answer. */
export function besideTools(
  frame: Frame,
  messages: readonly Message[],
  target: AnswerTarget | undefined,
): string | undefined {
  if (messages.at(-1)?.role !== "tool") return undefined;
  const asking = messages.findLast((message) => message.role === "assistant");
  const fault = misfitBesideTools(asking?.text ?? "", target);
  if (fault === undefined) return undefined;
  return say(frame, BESIDE_TOOLS, { fault });
}

const BESIDE_TOOLS = definePrompt({
  en: "The object beside your tool calls was not taken as the answer, and it does not fit: {{fault}}. Give the whole answer once you need no further call.",
  zh: "与工具调用放在一起的对象没有被当作答案，而且不符合要求：{{fault}}。等到不再需要调用时，再给出完整的答案。",
});
