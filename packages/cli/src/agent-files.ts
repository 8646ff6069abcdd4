import { stringify } from "yaml";

/** What a first spec is made from. */
export interface AgentAnswers {
  readonly name: string;
  /** `provider/name`. */
  readonly model: string;
  /** Empty where each run says it. */
  readonly task: string;
  readonly tools: readonly string[];
  /** An id of `STARTERS`. */
  readonly strategy: string;
}

interface Starter {
  readonly id: string;
  readonly summary: string;
  readonly stages: (hasTools: boolean) => unknown;
}

/** The strategies that a first spec can begin with. */
export const STARTERS: readonly Starter[] = [
  { id: "direct", summary: "one request, one answer", stages: () => "direct" },
  {
    id: "react",
    summary: "thinks, calls tools, looks at what came back, and again",
    stages: () => ({ react: { maxSteps: 6 } }),
  },
  {
    id: "plan-and-solve",
    summary: "makes a plan first, then works through it",
    stages: (hasTools) => ({
      "plan-and-solve": {
        maxPlanSteps: 6,
        ...(hasTools ? { do: { react: { maxSteps: 6 } } } : {}),
      },
    }),
  },
  {
    id: "verify",
    summary: "answers, has it checked, and mends what was found",
    stages: (hasTools) => [
      hasTools ? { react: { maxSteps: 6 } } : "chain-of-thought",
      { verify: { checks: [hasTools ? "evidence" : NOT_EMPTY], maxRounds: 1, revise: "refine" } },
    ],
  },
];

const NOT_EMPTY = { rule: { expr: "answer.text != ''", message: "The answer is empty." } };

const LIMITS = { modelCalls: 40, toolCalls: 30, time: "5m" };

/** The text of a first spec. */
export function specText(answers: AgentAnswers): string {
  const { name, model, task, tools, strategy } = answers;
  const starter = STARTERS.find(({ id }) => id === strategy);
  const spec = {
    apiVersion: "loopwright/v1",
    name,
    ...(task === "" ? {} : { task }),
    model,
    ...(tools.length === 0 ? {} : { tools }),
    strategy: starter?.stages(tools.length > 0) ?? strategy,
    limits: LIMITS,
    sinks: ["console"],
  };
  return stringify(spec, { lineWidth: 0, flowCollectionPadding: true });
}

/** The text of an `.env.example`: the variables that hold the keys; undefined where nobody says which. */
export function envExampleText(model: string, keys: readonly string[] | undefined): string {
  const head = "# Copy this file to .env, fill it in, and keep .env out of version control.\n";
  if (keys === undefined) return `${head}# What ${model} needs, like NAME_API_KEY=, goes here.\n`;
  if (keys.length === 0) return `${head}# ${model} needs no key.\n`;
  return `${head}${keys.map((key) => `${key}=\n`).join("")}`;
}
