import { type JsonObject, type PlanProgress, type TSchema, Type } from "@loopwright/core/plugin";

/** What the schema of a step depends on. */
export interface StepForm {
  readonly maxCalls: number;
  readonly hasPlan: boolean;
  /** True where the endpoint holds the model to the schema; arguments are then JSON text. */
  readonly isHeld: boolean;
}

/** One step as a model writes it. */
export interface StepDraft {
  readonly thought: string;
  readonly considered?: readonly { readonly option: string; readonly reason: string }[];
  readonly calls?: readonly {
    readonly tool: string;
    readonly arguments: string | JsonObject;
    readonly reason?: string;
  }[];
  readonly plan?: readonly (Omit<PlanProgress, "evidence"> & Partial<PlanProgress>)[];
  readonly final?: { readonly answer: string; readonly evidence?: readonly string[] };
}

const argumentText = Type.String({
  description: "the arguments of the tool, as the text of one JSON object",
  examples: ["{}"],
});

const anyArguments = Type.Union([
  Type.Object(
    {},
    { additionalProperties: true, description: "the arguments of the tool", examples: [{}] },
  ),
  argumentText,
]);

const considered = Type.Optional(
  Type.Array(
    Type.Object({
      option: Type.String({ description: "what else could be done in this step" }),
      reason: Type.String({ description: "why it is not done" }),
    }),
    { description: "other ways that were weighed, if there were any" },
  ),
);

const final = Type.Optional(
  Type.Object(
    {
      answer: Type.String({ description: "the whole answer" }),
      evidence: Type.Optional(
        Type.Array(Type.String(), {
          description: "ids of the observations that the answer rests on, e.g. observation-1",
          examples: [[]],
        }),
      ),
    },
    { description: "the answer, once enough is known" },
  ),
);

const plan = Type.Optional(
  Type.Array(
    Type.Object({
      step: Type.String({ description: "the id of a step of the plan" }),
      status: Type.Union([Type.Literal("done"), Type.Literal("failed")]),
      evidence: Type.Optional(
        Type.Array(Type.String(), {
          description: "ids of the observations that show it",
          examples: [[]],
        }),
      ),
      because: Type.String({
        description: "how its success condition is met, or why it can't be",
      }),
    }),
    { description: "steps of the plan that have ended" },
  ),
);

function callsOf(maxCalls: number, input: typeof anyArguments | typeof argumentText) {
  return Type.Optional(
    Type.Array(
      Type.Object({
        tool: Type.String({ description: "the name of the tool" }),
        arguments: input,
        reason: Type.Optional(Type.String({ description: "why, in a few words" })),
      }),
      { maxItems: maxCalls, description: "the tools to call in this step" },
    ),
  );
}

function wholeOf(maxCalls: number, input: typeof anyArguments | typeof argumentText) {
  return Type.Object({
    thought: Type.String({ description: "what is missing, and how it is found" }),
    considered,
    calls: callsOf(maxCalls, input),
    plan,
    final,
  });
}

/** The schema of one step. */
export function stepDraftOf({ maxCalls, hasPlan, isHeld }: StepForm): TSchema & {
  readonly static: StepDraft;
} {
  const whole = wholeOf(maxCalls, isHeld ? argumentText : anyArguments);
  return hasPlan ? whole : Type.Omit(whole, ["plan"]);
}
