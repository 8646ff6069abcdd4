import {
  checks,
  count,
  duration,
  expression,
  fields,
  memoryName,
  template,
  Type,
} from "../src/contracts/schema.ts";
import { generations, sumBounds, timesBounds } from "../src/contracts/bounds.ts";
import { one } from "../src/contracts/slots.ts";
import { defineStrategy, type StrategyDefinition } from "../src/contracts/strategy.ts";

const description = "A stub.";
const run = async (): Promise<void> => {};
const act = {
  uses: ["plan", "verdict", "thread"],
  sets: ["answer"],
  maySet: ["observations", "thread"],
} as const;

/** Strategies that are declared and never run. */
export const stubStrategies: readonly StrategyDefinition[] = [
  defineStrategy({
    id: "direct",
    description,
    options: Type.Object({}),
    flow: { sets: ["answer"] },
    bounds: () => generations(1),
    run,
  }),
  defineStrategy({
    id: "understated",
    description,
    options: Type.Object({}),
    slots: { do: one({ description: "Costs more than its parent says." }) },
    flow: { sets: ["answer"] },
    bounds: () => generations(0, 1),
    run,
  }),
  defineStrategy({
    id: "plan",
    description,
    options: Type.Object({ maxPlanSteps: Type.Integer({ minimum: 1, default: 6 }) }),
    flow: ({ maxPlanSteps }) => ({ sets: ["plan"], maxItems: { "plan.steps": maxPlanSteps } }),
    bounds: () => generations(1),
    run,
  }),
  defineStrategy({
    id: "recall",
    description,
    options: Type.Object({
      from: memoryName(),
      maxLessons: Type.Integer({ minimum: 1, default: 3 }),
    }),
    flow: { maySet: ["lessons"] },
    bounds: () => generations(0),
    run,
  }),
  defineStrategy({
    id: "reflect",
    description,
    options: Type.Object({ into: Type.Optional(memoryName()) }),
    flow: { uses: ["verdict"], maySet: ["lessons"] },
    bounds: () => generations(1),
    run,
  }),
  defineStrategy({
    id: "refine",
    description,
    options: Type.Object({}),
    flow: { needs: ["answer", "verdict"], sets: ["answer"] },
    bounds: () => generations(1),
    run,
  }),
  defineStrategy({
    id: "react",
    description,
    options: Type.Object({
      maxSteps: Type.Integer({ minimum: 1, maximum: 100, default: 8 }),
      maxCallsPerStep: Type.Integer({ minimum: 1, default: 4 }),
      mode: Type.Union([Type.Literal("auto"), Type.Literal("native"), Type.Literal("text")], {
        default: "auto",
      }),
    }),
    flow: act,
    bounds: (options) => ({
      generations: [1, options.maxSteps],
      toolCalls: [0, (options.maxSteps - 1) * options.maxCallsPerStep],
    }),
    run,
  }),
  defineStrategy({
    id: "plan-and-solve",
    description,
    options: Type.Object({ maxPlanSteps: Type.Integer({ minimum: 1, default: 6 }) }),
    slots: {
      do: one({ description: "what carries the plan out", optional: true, provides: ["plan"] }),
    },
    flow: ({ maxPlanSteps }) => ({
      sets: ["plan", "answer"],
      maxItems: { "plan.steps": maxPlanSteps },
    }),
    bounds: (_options, children) => sumBounds(generations(1), children.do),
    run,
  }),
  defineStrategy({
    id: "verify",
    description,
    options: Type.Object({
      checks: checks({ default: [] }),
      method: Type.Union(
        [Type.Literal("judge"), Type.Literal("cove-factored"), Type.Literal("cove-later")],
        { default: "judge" },
      ),
      maxRounds: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    }),
    slots: {
      revise: one({
        description: "what mends the answer",
        optional: true,
        runs: "maybe",
        provides: ["verdict"],
      }),
    },
    voices: ["judge", "ask", "answer"],
    voicesUsed: ({ method }) => (method === "judge" ? ["judge"] : ["ask", "answer"]),
    flow: ({ method }) => ({
      needs: ["answer"],
      sets: ["verdict"],
      ...(method === "judge" ? {} : { maySet: ["answer"] }),
    }),
    bounds: (options, children) =>
      sumBounds(
        generations(1, (options.maxRounds ?? 1) + 1),
        timesBounds(children.revise, 0, options.maxRounds ?? 1),
      ),
    validate: (options, facts) => [
      ...(options.method === "cove-later"
        ? [{ option: "method", severity: "not-yet" as const, message: "`cove-later` runs later" }]
        : []),
      ...(options.maxRounds !== undefined && !facts.slots.includes("revise")
        ? [
            {
              message: "`maxRounds` without `revise` does nothing",
              option: "maxRounds",
              repair: "add `revise: refine`, or delete `maxRounds`",
            },
          ]
        : []),
      ...(facts.noModel && options.checks.length === 0
        ? [
            {
              message: "`model: none` needs checks",
              option: "model",
              repair: "add `checks: [constraints]`, or give a model",
            },
          ]
        : []),
    ],
    run,
  }),
  defineStrategy({
    id: "tree-of-thoughts",
    description,
    options: Type.Object({
      depth: Type.Integer({ minimum: 1, default: 3 }),
      keep: Type.Integer({ minimum: 1, default: 5 }),
      votes: Type.Integer({ minimum: 1, default: 3 }),
    }),
    voices: ["propose", "value", "judge"],
    flow: { sets: ["answer", "candidates"] },
    bounds: ({ depth, keep, votes }) => generations(1, depth * keep * (1 + votes)),
    run,
  }),
  defineStrategy({
    id: "self-consistency",
    description,
    options: Type.Object({ samples: Type.Integer({ minimum: 2, default: 5 }) }),
    slots: { do: one({ description: "what is sampled", optional: true, sampled: true }) },
    voices: ["sample", "judge"],
    flow: { sets: ["answer", "candidates"] },
    bounds: ({ samples }, children) => timesBounds(children.do, samples),
    run,
  }),
  defineStrategy({
    id: "loop",
    description,
    options: Type.Object({
      maxRounds: Type.Integer({ minimum: 1, maximum: 20 }),
      until: Type.Optional(expression("bool")),
    }),
    slots: { do: one({ description: "what is repeated" }) },
    flow: {},
    bounds: ({ maxRounds }, children) => timesBounds(children.do, 0, maxRounds),
    run,
  }),
  defineStrategy({
    id: "ask",
    description,
    options: Type.Object({
      question: template(),
      options: Type.Optional(Type.Array(Type.String(), { minItems: 2 })),
      timeout: Type.Optional(duration()),
      shape: Type.Optional(fields()),
      limits2: Type.Optional(
        Type.Object({ tokens: count({ default: 100 }), share: Type.Number({ default: 0.5 }) }),
      ),
      value: Type.Optional(Type.Union([Type.Number(), template()])),
    }),
    result: "stage",
    flow: {},
    bounds: () => generations(0),
    run,
  }),
];
