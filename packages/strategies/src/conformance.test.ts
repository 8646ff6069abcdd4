import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  defineTool,
  type JsonSchema,
  type ProviderRequest,
  type ToolDefinition,
  Type,
} from "@loopwright/core/plugin";
import { describeStrategy, tempFolder } from "@loopwright/testkit";
import { abduce } from "./abduce.ts";
import { chainOfThought } from "./chain-of-thought.ts";
import { agent } from "./control/agent.ts";
import { ask } from "./control/ask.ts";
import { branch } from "./control/branch.ts";
import { choose } from "./control/choose.ts";
import { fallback } from "./control/fallback.ts";
import { forEach } from "./control/for-each.ts";
import { loop } from "./control/loop.ts";
import { parallel } from "./control/parallel.ts";
import { stop } from "./control/stop.ts";
import { direct } from "./direct.ts";
import { extract } from "./extract.ts";
import { leastToMost } from "./least-to-most.ts";
import { outline } from "./outline.ts";
import { planAndSolve } from "./plan-and-solve.ts";
import { planGraph } from "./plan-graph.ts";
import { plan } from "./plan.ts";
import { programAided } from "./program-aided.ts";
import { react } from "./react.ts";
import { recall } from "./recall.ts";
import { refine } from "./refine.ts";
import { reflect } from "./reflect.ts";
import { rewoo } from "./rewoo.ts";
import { selfConsistency } from "./self-consistency.ts";
import { skeleton } from "./skeleton.ts";
import { stepBack } from "./step-back.ts";
import { verify } from "./verify.ts";

/** A plan of one step where a plan is asked for: the smallest plan that fits its schema has none, and is refused. */
function onePlanStep({ output }: ProviderRequest): string {
  if (output === undefined) return "It is 4.";
  const step = { id: "step-1", objective: "add", successCondition: "the sum stands" };
  const steps = [{ ...step, needsExternalInfo: false, dependsOn: [] }];
  return JSON.stringify({ goal: "a sum", constraints: [], conflicts: [], steps });
}

const lookUp = { tool: "testkit_look-up", arguments: [{ name: "word", value: "sum" }] };

/** Fills in what a strategy that plans calls asks for: two calls of which one needs the other, and what is found by them. */
function twoCalls({ output }: ProviderRequest): string {
  if (output === undefined) return "It is 4.";
  const next = { tool: lookUp.tool, arguments: [{ name: "word", value: "#E1" }] };
  const replies = {
    steps: [
      { id: "E1", plan: "look", ...lookUp },
      { id: "E2", plan: "look on", ...next },
    ],
    action: "finish",
    because: "it is known",
    answer: "It is 4.",
  };
  return fieldsOf(output.schema, replies);
}

/** Fills in what a strategy that tests hypotheses asks for. */
function oneCheck({ output }: ProviderRequest): string {
  if (output === undefined) return "It is 4.";
  const expects = [
    { hypothesis: "H1", says: "yes" },
    { hypothesis: "H2", says: "no" },
  ];
  const replies = {
    checks: [{ ...lookUp, question: "Is it there?", expects, reason: "it splits them" }],
    marks: [{ hypothesis: "H2", mark: "refuted", because: "it is there" }],
    hypotheses: ["four", "five"].map((text) => ({ text, predicts: "a sum" })),
  };
  return fieldsOf(output.schema, replies);
}

/** The fields that a schema asks for, out of all there are. */
function fieldsOf(schema: JsonSchema, replies: Readonly<Record<string, unknown>>): string {
  const names = Object.keys((schema["properties"] ?? {}) as object);
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, replies[name]])));
}

/** Stands in for the sandbox, and returns the same for every program. */
const sandbox: ToolDefinition = defineTool({
  id: "javascript",
  description: "Runs a program, for this suite only.",
  options: Type.Object({}),
  input: Type.Object({ code: Type.String() }),
  effect: "read",
  create: () => () => ({ result: { value: 4 } }),
});

describeStrategy(direct);
describeStrategy(chainOfThought);
describeStrategy(plan, { replies: onePlanStep });
describeStrategy(planAndSolve, { replies: onePlanStep });
describeStrategy(planAndSolve, { options: { style: "ps" }, unusedSlots: ["do"] });
describeStrategy(leastToMost);
describeStrategy(stepBack);
describeStrategy(stepBack, { options: { abstraction: "question" }, unusedSlots: ["do"] });
describeStrategy(outline, { options: { text: "One.\nTwo.", maxParts: 3 } });
describeStrategy(skeleton, { options: { router: true } });
describeStrategy(extract, {
  options: { text: "Order A12.", patterns: { order: "A\\d+", day: "\\d{4}" } },
});
describeStrategy(programAided, { options: { maxRepairs: 1 }, tools: [sandbox] });
describeStrategy(rewoo, { replies: twoCalls });
describeStrategy(planGraph, { replies: twoCalls });
describeStrategy(abduce, { replies: oneCheck });
describeStrategy(react, { options: { maxSteps: 3, maxCallsPerStep: 2 } });
describeStrategy(verify, { unusedSlots: ["answer"] });
describeStrategy(refine);
describeStrategy(reflect, { options: { into: "lessons" } });
describeStrategy(recall, { options: { from: "lessons" } });
describeStrategy(selfConsistency, { options: { samples: 3 } });
describeStrategy(loop, { options: { maxRounds: 3, until: "answer.revision > 1" } });
describeStrategy(ask, { options: { question: "Which colour?", options: ["red", "blue"] } });
describeStrategy(stop, { options: { reason: "It is enough." } });
describeStrategy(branch, { options: { if: "answer.revision == 0" } });
describeStrategy(choose);
describeStrategy(parallel);
describeStrategy(fallback);
describeStrategy(forEach, {
  options: { in: "['one', 'two', 'three']", item: "word", task: "{{ word }}", maxItems: 3 },
});

const root = tempFolder();
const INNER = `apiVersion: loopwright/v1
name: inner
model: testkit-model/any
strategy: [testkit/answer, { testkit/answer: { id: again } }]
`;
writeFileSync(join(root, "inner.yaml"), INNER);
describeStrategy(agent, { root, options: { spec: "inner.yaml" } });
