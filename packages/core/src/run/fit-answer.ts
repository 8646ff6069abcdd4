import { definePrompt } from "../contracts/prompt.ts";
import type { AnswerDraft } from "../contracts/state.ts";
import type { Result } from "../contracts/strategy-context.ts";
import { NO_USAGE } from "../contracts/provider.ts";
import { targetOf } from "./answer-target.ts";
import { fitReply } from "./fit-reply.ts";
import { formText } from "./form-text.ts";
import { languageOf, say } from "./language-of.ts";
import type { Frame } from "./run-scope.ts";

/** How the spec wants the answer written, in words for a model; empty where any text will do. */
export function answerForm(frame: Frame): string {
  const target = targetOf(frame, { answer: true });
  return target === undefined ? "" : formText({ ...target, form: "whole" }, languageOf(frame));
}

/** Reads an answer out of a text that is not a whole reply, as one that was asked for would be read. */
export async function fitAnswer(
  frame: Frame,
  key: string,
  text: string,
): Promise<Result<AnswerDraft>> {
  const request = { answer: true } as const;
  const wanted = targetOf(frame, request);
  // What is thought before it stands outside the text.
  const target = wanted === undefined ? undefined : { ...wanted, form: "whole" as const };
  const message = { role: "assistant", text, reasoning: "", toolCalls: [] } as const;
  const reply = { message, usage: NO_USAGE, finishReason: "stop" } as const;
  const fit = await fitReply(frame, { reply, sent: [], request, target, key });
  if (!fit.ok) return { ok: false, reason: fit.message };
  const { answer } = fit.reply;
  return answer === undefined
    ? { ok: false, reason: say(frame, NO_ANSWER) }
    : { ok: true, value: answer };
}

const NO_ANSWER = definePrompt({ en: "it holds no answer", zh: "其中没有答案" });
