import {
  type AnswerDraft,
  defineStrategy,
  generations,
  type Json,
  type JsonObject,
  specPath,
  type StrategyDefinition,
  template,
  Type,
} from "@loopwright/core/plugin";
import { asText } from "../shared/as-text.ts";

const options = Type.Object({
  spec: specPath({ description: "The spec of the agent: a local file." }),
  inputs: Type.Record(Type.String(), Type.Union([Type.Number(), Type.Boolean(), template()]), {
    description: "Its inputs by name; text is a template over the state.",
    default: {},
  }),
  output: Type.Optional(
    Type.String({
      description: "The field of its output that becomes the answer; the whole answer without it.",
      minLength: 1,
    }),
  ),
});

/**
 * Runs another spec as a part of this run; choose it for a part that has tools, limits and an output of its own.
 *
 * It sees its inputs and its task, or where its spec says none the task of this run; nothing else of the state. Only its
 * answer comes back, without evidence: what it observed stays its own.
 */
export const agent: StrategyDefinition = defineStrategy({
  id: "agent",
  description: "Runs another spec as a part of this run; its answer becomes the answer.",
  options,
  flow: { sets: ["answer"] },
  bounds: () => generations(0),
  async run(_state, context, { inputs, output }) {
    const draft = await context.runAgent(inputs as JsonObject);
    const value = draft.value ?? null;
    const answer = output === undefined ? draft : fieldOf(draft, output);
    return { answer, result: { value: output === undefined ? value : (answer.value ?? null) } };
  },
});

/** One field of a typed answer as the answer; an answer that says why the task can't be done has none. */
function fieldOf(draft: AnswerDraft, field: string): AnswerDraft {
  const { value } = draft;
  if (!isObject(value)) return draft;
  const part = value[field] ?? null;
  return { ...draft, text: asText(part), value: part };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
