import {
  defineTool,
  duration,
  type ToolDefinition,
  ToolError,
  Type,
} from "@loopwright/core/plugin";

const maxOptions = 20;

const options = Type.Object({
  maxWait: Type.Optional(
    duration({ description: "How long an answer is waited for; by default as long as the run." }),
  ),
});

const input = Type.Object({
  question: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: "One question that can be understood without the rest of the conversation.",
  }),
  options: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 2,
      maxItems: maxOptions,
      description: "The answers to choose from, where there are a few; free text without.",
    }),
  ),
});

/** Asks the person for whom the run works; an unanswered question is told to the model as such. */
export const askPerson: ToolDefinition = defineTool({
  id: "ask-person",
  description: `Asks the person you work for one question and waits for the answer.
Use it when a decision is theirs, or when a fact that only they know is missing and a wrong guess would cost something.
Do not use it for what another tool can find out, for what the task already says, for permission to use a tool (that is asked by itself), or for several questions at once.
It returns what the person said. Where nobody answered it says so: then go on with what is known, and name the assumption in your answer; do not ask the same again.`,
  options,
  input,
  output: Type.String(),
  effect: "read",
  create:
    ({ maxWait }) =>
    async ({ question, options: choices }, { askPerson: ask }) => {
      if (question.trim() === "") throw unfit("the question is empty");
      if (choices !== undefined && new Set(choices).size < choices.length)
        throw unfit("two options are the same");
      const { answered, reply } = await ask({
        question,
        ...(choices === undefined ? {} : { options: choices }),
        ...(maxWait === undefined ? {} : { timeoutMs: maxWait }),
      });
      if (!answered)
        return "Nobody answered. Go on with what is known, and say what you assumed; do not ask again.";
      return reply.trim() === "" ? "The person answered with an empty text." : reply;
    },
});

function unfit(fault: string): ToolError {
  return new ToolError("tool-arguments-invalid", `Not asked: ${fault}.`);
}
