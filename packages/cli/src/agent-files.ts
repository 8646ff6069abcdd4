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
  const { name, task, tools, strategy } = answers;
  const starter = STARTERS.find(({ id }) => id === strategy);
  const replies = repliesFile(answers);
  const model = replies === undefined ? answers.model : { use: answers.model, file: replies };
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

/** The file beside the spec that a scripted model reads; undefined for a model that needs none. */
export function repliesFile({ name, model }: AgentAnswers): string | undefined {
  return model.startsWith("scripted/") ? `${name}.replies.yaml` : undefined;
}

const REPLIES_HEAD = `# What the scripted model says: the first entry that fits a request and has uses left answers it.
# Change the texts, or put a real model into the spec.
`;

const CALL = { name: "calculator", arguments: { expression: "2 + 3" } };

const PLAN_STEP = {
  id: "answer",
  objective: "Answer the task.",
  needsExternalInfo: false,
  successCondition: "There is an answer.",
  dependsOn: [],
};

/** The text of the replies that a first spec runs on, whatever it is asked. */
export function repliesText({ strategy, tools }: AgentAnswers): string {
  const calls = tools.includes("calculator") && strategy !== "direct";
  const text = `This answer is written in a file, not thought out${calls ? " [observation-1]" : ""}.`;
  const plan = { goal: "Answer the task.", constraints: [], conflicts: [], steps: [PLAN_STEP] };
  const verdict = {
    outcome: "pass",
    issues: [],
    supportedEvidence: calls ? ["observation-1"] : [],
  };
  const replies = [
    ...(strategy === "plan-and-solve"
      ? [{ stage: strategy, voice: "plan", times: "always", json: plan }]
      : []),
    ...(strategy === "verify" ? [{ stage: strategy, times: "always", json: verdict }] : []),
    ...(calls ? [{ stage: "react", text: "I add.", calls: [CALL] }] : []),
    { times: "always", text },
  ];
  const body = stringify({ replies }, { lineWidth: 0, flowCollectionPadding: true });
  return `${REPLIES_HEAD}${body}`;
}

/** The text of an `.env.example`: the variables that hold the keys; undefined where nobody says which. */
export function envExampleText(model: string, keys: readonly string[] | undefined): string {
  const head = "# Copy this file to .env, fill it in, and keep .env out of version control.\n";
  if (keys === undefined) return `${head}# What ${model} needs, like NAME_API_KEY=, goes here.\n`;
  if (keys.length === 0) return `${head}# ${model} needs no key.\n`;
  return `${head}${keys.map((key) => `${key}=\n`).join("")}`;
}
