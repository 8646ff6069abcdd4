import type { JsonObject, ProviderRequest } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import fc from "fast-check";

/** A stage as YAML data. */
type Stage = string | { readonly [id: string]: unknown };

const { tree } = fc.letrec<{ tree: Stage; sequence: readonly Stage[] }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Stage>("direct", "chain-of-thought", "plan"),
    fc.record({ maxSteps: fc.integer({ min: 1, max: 3 }) }).map((react) => ({ react })),
    tie("sequence").map((list) => ({ "plan-and-solve": { do: list } })),
    tie("tree").map((inner) => ({
      loop: { maxRounds: 2, until: "answer.revision > 3", do: [inner] },
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
  ),
  sequence: fc
    .array(tie("tree"), { minLength: 1, maxLength: 2 })
    .map((list) => [...list, "direct"]),
}));

/** A sequence that sets the answer first, so that any stage may follow. */
export const randomStage: fc.Arbitrary<readonly Stage[]> = fc
  .array(tree, { minLength: 1, maxLength: 2 })
  .map((list) => ["direct", ...list, { reflect: { always: true } }]);

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
