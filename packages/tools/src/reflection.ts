import { defineTool, type Static, type ToolDefinition, Type } from "@loopwright/core/plugin";

const input = Type.Object({
  moment: Type.Union(
    [
      Type.Literal("key-step-done"),
      Type.Literal("tool-error"),
      Type.Literal("contradiction"),
      Type.Literal("before-final-answer"),
    ],
    { description: "Why you stop to think." },
  ),
  analysis: Type.String({
    minLength: 1,
    description:
      "What is known, by observation id; what is missing or doubtful; what follows from it.",
  }),
  changePlan: Type.Optional(
    Type.String({ description: "How the plan changes; leave it out when the plan stands." }),
  ),
});

type Moment = Static<typeof input>["moment"];

const nextByMoment: Readonly<Record<Moment, string>> = {
  "key-step-done": "Next: the first open step of the plan.",
  "tool-error":
    "Next: do not repeat the failed call unchanged; mend its arguments, use another tool, or say what can't be known.",
  contradiction:
    "Next: settle the contradiction with one more observation before you use either side of it.",
  "before-final-answer":
    "Next: if every claim has an observation and every constraint holds, answer; if not, get what is missing first.",
};

/** Gives a model a place to stop and think; the thought is recorded as an observation. */
export const reflection: ToolDefinition = defineTool({
  id: "reflection",
  description: `Records a thought about your own work and changes nothing else.
Use it after a key step, after a tool error, when two observations contradict each other, and once before the final answer.
Do not use it to look anything up, twice in a row, or in place of an answer.
It returns a short acknowledgement with what to do next; it is no evidence for any claim.`,
  options: Type.Object({}),
  input,
  output: Type.String(),
  effect: "idempotent",
  thought: true,
  create:
    () =>
    ({ moment, changePlan }) => {
      const change = changePlan?.trim() ?? "";
      const plan = change === "" ? "The plan stands." : "Change of plan noted.";
      return `Noted (${moment}). ${plan} ${nextByMoment[moment]}`;
    },
});
