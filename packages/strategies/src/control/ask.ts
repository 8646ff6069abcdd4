import {
  definePrompt,
  defineStrategy,
  duration,
  NO_BOUNDS,
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
  validate({ onTimeout, default: standIn }) {
    if (standIn === undefined || onTimeout === "continue") return [];
    return [{ option: "default", message: UNUSED_DEFAULT, repair: USE_DEFAULT }];
  },
  async run(_state, context, { question, options: choices, timeout, onTimeout, default: standIn }) {
    const text = asText(question);
    const { answered, reply } = await context.askPerson({
      question: text,
      ...(choices !== undefined && { options: choices }),
      ...(timeout !== undefined && { timeoutMs: timeout }),
    });
    if (!answered && onTimeout === "stop") context.stop(context.words(NOBODY, { question: text }));
    return { result: { answered, reply: answered ? reply : (standIn ?? "") } };
  },
});

const NOBODY = definePrompt({
  en: "Nobody replied to: {{question}}",
  zh: "没有人回答：{{question}}",
});

const UNUSED_DEFAULT = "`default` is used only when the run goes on without a reply";

const USE_DEFAULT = "write `onTimeout: continue`, or delete `default`";
