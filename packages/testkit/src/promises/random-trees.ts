import type { JsonObject, ProviderRequest } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import fc from "fast-check";
import { pickFrom, valueFor } from "./random-json.ts";

/** A stage as YAML data. */
type Stage = string | { readonly [id: string]: unknown };

/** The file, beside the spec, of the agent that random trees run. */
export const INNER_FILE: string = "inner.yaml";

/** What stands in that file. */
export const INNER_SPEC: string = `apiVersion: loopwright/v1
name: inner
model: stub/model
tools: { stock: {} }
strategy:
  - react: { maxSteps: 2 }
  - fallback: { try: [direct, chain-of-thought] }
  - reflect: { always: true }
limits: { modelCalls: 4 }
`;

/** The tools of the specs that random trees stand in: one that looks up, one to think with, one that runs programs. */
export const TREE_TOOLS: string = "{ stock: {}, reflection: {}, javascript: {} }";

const react: fc.Arbitrary<Stage> = fc
  .record(
    {
      maxSteps: fc.integer({ min: 1, max: 4 }),
      mode: fc.constantFrom("auto", "native", "structured", "text"),
      history: fc.constantFrom("full", "compact", "latest"),
      observations: fc.constantFrom("full", "short", "brief"),
      maxReflections: fc.integer({ min: 0, max: 2 }),
      thoughts: fc.constant({ rules: ["need", "facts", "how"], noInventedValues: true }),
    },
    { requiredKeys: ["maxSteps"] },
  )
  .map((given) => ({ react: given }));

/** The planning, answering and acting strategies without stages inside. */
const leaf: fc.Arbitrary<Stage> = fc.oneof(
  fc.constantFrom<Stage>("direct", "chain-of-thought", "plan", "step-back"),
  react,
  fc
    .record({ maxReplans: fc.nat(2), maxPlanSteps: fc.integer({ min: 1, max: 3 }) })
    .map((plan) => ({
      plan,
    })),
  fc.constantFrom("ps", "ps-plus").map((style) => ({ "plan-and-solve": { style } })),
  fc.integer({ min: 2, max: 4 }).map((max) => ({ "least-to-most": { maxSubquestions: max } })),
  fc.boolean().map((router) => ({ skeleton: { maxPoints: 3, router } })),
  fc.constant<Stage>({ outline: { text: "{{ task.text }}", maxParts: 3 } }),
  fc.nat(2).map((maxRepairs) => ({ "program-aided": { maxRepairs } })),
  fc
    .record({ maxSteps: fc.integer({ min: 1, max: 4 }), maxModelCalls: fc.nat(2) })
    .map((given) => ({
      rewoo: given,
    })),
  fc.record({ maxTasks: fc.integer({ min: 1, max: 4 }), maxReplans: fc.nat(2) }).map((given) => ({
    "plan-graph": given,
  })),
  fc
    .record({
      maxHypotheses: fc.integer({ min: 2, max: 3 }),
      maxRounds: fc.integer({ min: 1, max: 3 }),
    })
    .map((given) => ({ abduce: given })),
);

const { tree } = fc.letrec<{ tree: Stage; sequence: readonly Stage[] }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    leaf,
    tie("tree").map((inner) => ({
      "plan-and-solve": {
        maxPlanSteps: 2,
        do: [{ "for-each": { in: "plan.steps", item: "entry#", do: ["direct", inner] } }, "direct"],
      },
    })),
    tie("tree").map((inner) => ({
      "least-to-most": { maxSubquestions: 2, do: ["direct", inner] },
    })),
    tie("tree").map((inner) => ({ "step-back": { do: ["direct", inner] } })),
    tie("sequence").map((list) => ({ "plan-and-solve": { do: list } })),
    tie("tree").map((inner) => ({
      loop: { maxRounds: 2, until: "answer.revision > 3", do: ["direct", inner] },
    })),
    fc.tuple(tie("tree"), fc.boolean()).map(([inner, stopEarly]) => ({
      "self-consistency": { samples: 2, stopEarly, do: ["direct", inner] },
    })),
    tie("tree").map((inner) => ({
      loop: {
        maxRounds: 2,
        until: "false",
        do: ["direct", { verify: { maxRounds: 1, revise: ["refine", inner] } }],
      },
    })),
    fc.tuple(tie("tree"), tie("tree")).map(([first, second]) => ({
      // oxlint-disable-next-line unicorn/no-thenable -- a slot of the spec language, as data
      branch: { if: "answer.revision > 1", then: first, else: second },
    })),
    fc.tuple(tie("tree"), tie("tree")).map(([first, second]) => ({
      choose: {
        cases: {
          first: { description: "The first way.", do: first },
          second: { description: "The second way.", do: second },
        },
      },
    })),
    tie("tree").map((inner) => ({
      parallel: { branches: { "left#": inner, "right#": "direct" }, combine: "direct" },
    })),
    fc.tuple(tie("tree"), tie("tree")).map(([first, second]) => ({
      fallback: { try: [first, second] },
    })),
    tie("tree").map((inner) => ({
      "for-each": { in: "[1, 2]", item: "entry#", maxItems: 2, do: ["direct", inner] },
    })),
    fc.constant<Stage>({ agent: { spec: INNER_FILE } }),
  ),
  sequence: fc
    .array(tie("tree"), { minLength: 1, maxLength: 2 })
    .map((list) => [...list, "direct"]),
}));

/** A sequence that sets the answer first, so that any stage may follow. */
export const randomStage: fc.Arbitrary<readonly Stage[]> = fc
  .array(tree, { minLength: 1, maxLength: 2 })
  .map((list) => numbered(["direct", ...list, { reflect: { always: true } }]));

/** Gives every branch and item a name of its own: those of stages inside each other must differ. */
function numbered(stages: readonly Stage[]): readonly Stage[] {
  let count = 0;
  const text = JSON.stringify(stages).replaceAll(/(left|right|entry)#/g, (_, name: string) => {
    count += 1;
    return `${name}${count}`;
  });
  return JSON.parse(text) as readonly Stage[];
}

type Say = (request: ProviderRequest) => ScriptedReply;

/** Replies in the text protocol, whole and broken. */
const PROTOCOL = [
  'Thought: I look.\nAction: stock\nAction Input: {"item": "a"}',
  "Thought: I know it.\nFinal Answer: 4",
  "思考：我知道了。\n行动：无\n最终答案：4",
  "Thought: nothing else",
  "Action: stock\nAction Input: {\nObservation: 9\nFinal Answer: 9",
  "```js\n2 + 2\n```",
  "1. First point\n2. Second point\n3. Third point",
] as const;

const CALLS = ["stock", "update_plan", "reflection"] as const;

const JUDGEMENTS = ["pass", "revise", "fail"] as const;

/** What a model may say: what fits, what does not, nothing, calls of all kinds, refusals, faults of the endpoint. */
export const randomReply: fc.Arbitrary<Say> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...JUDGEMENTS).map(fitting) },
  { weight: 8, arbitrary: fc.nat().map((seed): Say => fittingBy(seed)) },
  { weight: 4, arbitrary: fc.constantFrom(...PROTOCOL).map((text): Say => saying({ text })) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...CALLS), fc.nat()).map(calling) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("", "4", "five", '{"outcome":', "null", "[1]")
      .map((text): Say => saying({ text })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("length", "content-filter", "other" as const)
      .map((finishReason): Say => saying({ text: "cut", finishReason })),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.record({
          name: fc.constantFrom("stock", "stok", "", "drop table"),
          arguments: fc.constantFrom(
            "{}",
            '{"item":"x"}',
            '{"item":',
            "null",
            "[1]",
            '"x"',
            "{}{}",
          ),
        }),
        { minLength: 1, maxLength: 5 },
      )
      .map((calls): Say => saying({ calls })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Say>(
      saying({ text: "", reasoning: "Only a thought." }),
      saying({ refusal: "no" }),
      saying({ error: { code: "provider-unavailable", message: "overloaded" } }),
      () => {
        throw new TypeError("a bug in the provider");
      },
    ),
  },
);

function saying(reply: ScriptedReply): Say {
  return () => reply;
}

/** A reply of the form that is asked for, with whatever in it. */
function fittingBy(seed: number): Say {
  const pick = pickFrom(seed);
  return ({ output }) =>
    output === undefined ? { text: "4" } : { json: valueFor(output.schema, pick) };
}

/** A call of a tool or an action with arguments that fit, where it is offered. */
function calling([name, seed]: readonly [name: string, seed: number]): Say {
  const pick = pickFrom(seed);
  return ({ tools }) => {
    const offered = tools.find((tool) => tool.name === name);
    if (offered === undefined) return { text: "4" };
    return { calls: [{ name, arguments: valueFor(offered.input, pick) as JsonObject }] };
  };
}

function fitting(outcome: (typeof JUDGEMENTS)[number]): Say {
  return (request) => {
    const properties = Object.keys(request.output?.schema["properties"] ?? {});
    if (properties.includes("outcome"))
      return { json: { outcome, issues: [], supportedEvidence: [] } };
    if (properties.includes("case"))
      return { json: { case: outcome === "pass" ? "first" : "second" } };
    if (properties.includes("steps")) return { json: planOf() };
    if (properties.includes("lesson"))
      return { json: { trigger: "t", failurePattern: "f", lesson: "l", avoid: "a" } };
    return { text: `${outcome} 4` };
  };
}

function planOf(): JsonObject {
  const step = { id: "s", objective: "o", successCondition: "c", dependsOn: [] };
  return {
    goal: "g",
    constraints: [],
    conflicts: [],
    steps: [{ ...step, needsExternalInfo: false }],
  };
}
