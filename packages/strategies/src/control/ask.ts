import {
  definePrompt,
  defineStrategy,
  duration,
  NO_BOUNDS,
  type OptionsProblem,
  type Static,
  type StrategyDefinition,
  template,
  Type,
} from "@loopwright/core/plugin";
import { asText } from "../shared/as-text.ts";
import { oneOf } from "../shared/one-of.ts";

const options = Type.Object({
  question: template({ description: "What to ask the person." }),
  options: Type.Optional(
    Type.Array(Type.String(), {
      description: "The replies to choose from; free text without them.",
      minItems: 2,
    }),
  ),
  timeout: Type.Optional(
    duration({ description: "How long to wait; without it, as long as the run may last." }),
  ),
  onTimeout: oneOf(["stop", "continue"], {
    description: "What happens when nobody replies.",
    default: "stop",
  }),
  default: Type.Optional(
    Type.String({
      description: "The reply that stands in when nobody replies and the run continues.",
    }),
  ),
});

/** Asks a person and waits; the reply is `results.<id>.reply`. Choose it where a wish, not a fact, is missing. */
export const ask: StrategyDefinition = defineStrategy({
  id: "ask",
  description: "Asks a person a question and keeps the reply for later stages.",
  options,
  result: "stage",
  flow: ({ onTimeout }) => (onTimeout === "stop" ? { stops: "maybe" } : {}),
  bounds: () => NO_BOUNDS,
  validate: problemsOf,
  async run(_state, context, { question, options: choices, timeout, onTimeout, default: standIn }) {
    const text = asText(question);
    const { answered, reply } = await context.askPerson({
      question: text,
      ...(choices !== undefined && { options: choices }),
      ...(timeout !== undefined && { timeoutMs: timeout }),
    });
    if (!answered && onTimeout === "stop") context.stop(context.words(NOBODY, { question: text }));
    if (answered) return { result: { answered, reply } };
    context.fact("reply.stood-in", { reply: standIn ?? "" });
    return { result: { answered, reply: standIn ?? "" } };
  },
});

/** A reply that stands in must be one that a person could give. */
function problemsOf({
  options: choices,
  onTimeout,
  default: standIn,
}: Static<typeof options>): readonly OptionsProblem[] {
  const isUsed = onTimeout === "continue";
  if (standIn !== undefined && !isUsed)
    return [{ option: "default", message: UNUSED_DEFAULT, repair: USE_DEFAULT }];
  if (choices === undefined || !isUsed || (standIn !== undefined && choices.includes(standIn)))
    return [];
  const repair = `write \`default\` as one of ${choices.join(", ")}`;
  if (standIn === undefined)
    return [{ option: "onTimeout", severity: "warning", message: NO_DEFAULT, repair }];
  return [{ option: "default", message: `\`${standIn}\` is none of the \`options\``, repair }];
}

const NOBODY = definePrompt({
  en: "Nobody replied to: {{question}}",
  zh: "没有人回答：{{question}}",
});

const UNUSED_DEFAULT = "`default` is used only when the run goes on without a reply";

const NO_DEFAULT =
  "where nobody replies the run goes on with an empty reply, which is none of the `options`";

const USE_DEFAULT = "write `onTimeout: continue`, or delete `default`";
