import fc from "fast-check";

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

/** Stands for `extract` in trees whose spec declares an output; any other stage in the others. */
const EXTRACT = "extract#";

/** The planning, answering and acting strategies without stages inside. */
const leaf: fc.Arbitrary<Stage> = fc.oneof(
  fc.constantFrom<Stage>("direct", "chain-of-thought", "plan", "step-back", EXTRACT),
  fc.constantFrom<Stage>(
    { recall: { from: "notes" } },
    { ask: { question: "Which one?", timeout: "1ms", onTimeout: "continue" } },
    // oxlint-disable-next-line unicorn/no-thenable -- a slot of the spec language, as data
    { branch: { if: "answer.revision > 2", then: { stop: { reason: "It is enough." } } } },
  ),
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

const sequence: fc.Arbitrary<readonly Stage[]> = fc
  .array(tree, { minLength: 1, maxLength: 2 })
  .map((list) => numbered(["direct", ...list, { reflect: { always: true } }]));

/** A sequence that sets the answer first, so that any stage may follow. */
export const randomStage: fc.Arbitrary<readonly Stage[]> = sequence.map((stages) =>
  replaced(stages, "direct"),
);

/** A sequence for a spec that declares an output with the field `count`. */
export const randomTypedStage: fc.Arbitrary<readonly Stage[]> = sequence.map((stages) =>
  replaced(stages, { extract: { text: "{{ task.text }} 4", patterns: { count: "(\\d+)$" } } }),
);

function replaced(stages: readonly Stage[], stage: Stage): readonly Stage[] {
  return JSON.parse(
    JSON.stringify(stages).replaceAll(JSON.stringify(EXTRACT), () => JSON.stringify(stage)),
  ) as readonly Stage[];
}

/** Gives every branch and item a name of its own: those of stages inside each other must differ. */
function numbered(stages: readonly Stage[]): readonly Stage[] {
  let count = 0;
  const text = JSON.stringify(stages).replaceAll(/(left|right|entry)#/g, (_, name: string) => {
    count += 1;
    return `${name}${count}`;
  });
  return JSON.parse(text) as readonly Stage[];
}
