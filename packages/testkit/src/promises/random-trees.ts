import type { JsonObject, ProviderRequest } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
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

const { tree } = fc.letrec<{ tree: Stage; sequence: readonly Stage[] }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Stage>("direct", "chain-of-thought", "plan"),
    fc.record({ maxSteps: fc.integer({ min: 1, max: 3 }) }).map((react) => ({ react })),
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

const JUDGEMENTS = ["pass", "revise", "fail"] as const;

/** What a model may say: what fits, what does not, nothing, calls of all kinds, refusals, faults of the endpoint. */
export const randomReply: fc.Arbitrary<Say> = fc.oneof(
  fc.constant<Say>(fitting("pass")),
  fc.constantFrom(...JUDGEMENTS).map(fitting),
  fc.constantFrom("", "4", "five", '{"outcome":', "null", "[1]").map(
    (text): Say =>
      () => ({ text }),
  ),
  fc.constantFrom("length", "content-filter", "other" as const).map(
    (finishReason): Say =>
      () => ({ text: "cut", finishReason }),
  ),
  fc
    .array(
      fc.record({
        name: fc.constantFrom("stock", "stok", "", "drop table"),
        arguments: fc.constantFrom("{}", '{"item":"x"}', '{"item":', "null", "[1]", '"x"', "{}{}"),
      }),
      { minLength: 1, maxLength: 5 },
    )
    .map(
      (calls): Say =>
        () => ({ calls }),
    ),
  fc.constant<Say>(() => ({ refusal: "no" })),
  fc.constant<Say>(() => ({ error: { code: "provider-unavailable", message: "overloaded" } })),
  fc.constant<Say>(() => {
    throw new TypeError("a bug in the provider");
  }),
);

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
