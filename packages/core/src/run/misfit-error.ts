import { definePrompt } from "../contracts/prompt.ts";
import type { ErrorCode } from "../errors/error-codes.ts";
import { ProviderError } from "../errors/loopwright-error.ts";
import { type Fit, THINKING_ONLY, TRUNCATED } from "./fit-reply.ts";
import { say } from "./language-of.ts";
import type { Frame } from "./run-scope.ts";

type Misfit = Extract<Fit, { readonly ok: false }>;

const REJECTIONS: Readonly<Record<string, ErrorCode>> = {
  empty: "output-empty",
  [THINKING_ONLY]: "output-empty",
  [TRUNCATED]: "output-truncated",
};

/** The error for a reply that does not fit, however often it was asked for again. */
export function misfitError(
  frame: Frame,
  fit: Misfit,
  attempts: number,
  refusal?: Error,
): ProviderError {
  const code = REJECTIONS[fit.code] ?? "output-invalid";
  const said = refusal === undefined ? "" : say(frame, WAS_REFUSED, { why: refusal.message });
  const named = { stage: frame.scope.stage, attempts, fault: `${fit.message}${said}` };
  const words = attempts === 1 ? MISFIT_ONCE : MISFIT_AFTER;
  // A strategy may show it to a model.
  return new ProviderError(code, say(frame, words, named), {
    details: { stage: frame.stage?.id ?? "", reason: fit.code },
    ...(refusal === undefined ? {} : { cause: refusal }),
  });
}

const WAS_REFUSED = definePrompt({
  en: "; the last one was refused: {{why}}",
  zh: "；最后一次被拒绝：{{why}}",
});
const MISFIT_ONCE = definePrompt({
  en: "stage `{{stage}}`: the model's reply does not fit after {{attempts}} attempt: {{fault}}",
  zh: "阶段 `{{stage}}`：尝试 {{attempts}} 次之后模型的回复仍不符合要求：{{fault}}",
});
const MISFIT_AFTER = definePrompt({
  en: "stage `{{stage}}`: the model's reply does not fit after {{attempts}} attempts: {{fault}}",
  zh: "阶段 `{{stage}}`：尝试 {{attempts}} 次之后模型的回复仍不符合要求：{{fault}}",
});
