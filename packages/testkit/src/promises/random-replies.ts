import type { JsonObject, ProviderRequest } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import fc from "fast-check";
import { pickFrom, valueFor } from "./random-json.ts";

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
