import {
  anyOfBounds,
  childrenOf,
  generations,
  sumBounds,
  timesBounds,
} from "../src/contracts/bounds.ts";
import { count, expression, specPath, template, Type } from "../src/contracts/schema.ts";
import { alternatives, many, one } from "../src/contracts/slots.ts";
import { defineStrategy, type StrategyDefinition } from "../src/contracts/strategy.ts";

const description = "A stub.";
const run = async (): Promise<void> => {};

/** Control strategies that are declared and never run. */
export const stubControl: readonly StrategyDefinition[] = [
  defineStrategy({
    id: "branch",
    description,
    options: Type.Object({ if: expression("bool") }),
    slots: {
      // oxlint-disable-next-line unicorn/no-thenable -- the word of the spec language
      then: one({
        description: "runs where it holds",
        runs: "maybe",
        order: "one-of",
        group: "either",
      }),
      else: one({
        description: "runs where not",
        optional: true,
        runs: "maybe",
        order: "one-of",
        group: "either",
      }),
    },
    flow: {},
    bounds: (_options, children) => anyOfBounds([children.then, children.else]),
    run,
  }),
  defineStrategy({
    id: "choose",
    description,
    options: Type.Object({
      cases: Type.Record(
        Type.String(),
        Type.Object({ description: Type.String({ minLength: 1 }) }),
      ),
    }),
    slots: {
      cases: many({
        description: "what each case runs",
        runs: "maybe",
        order: "one-of",
        under: "do",
      }),
    },
    flow: {},
    bounds: (_options, children) =>
      sumBounds(generations(1), anyOfBounds(childrenOf(children.cases))),
    run,
  }),
  defineStrategy({
    id: "parallel",
    description,
    options: Type.Object({}),
    slots: {
      branches: many({ description: "what runs at one time", order: "beside", concurrent: true }),
      combine: one({ description: "joins them", optional: true, seesResultsOf: "branches" }),
    },
    flow: {},
    bounds: (_options, children) => sumBounds(children.branches, children.combine),
    run,
  }),
  defineStrategy({
    id: "fallback",
    description,
    options: Type.Object({}),
    slots: { try: alternatives({ description: "what is tried" }) },
    flow: {},
    bounds: (_options, children) => {
      const [first] = childrenOf(children.try);
      const {
        generations: [, most],
        toolCalls,
      } = children.try;
      return { generations: [first?.generations[0] ?? 0, most], toolCalls: [0, toolCalls[1]] };
    },
    run,
  }),
  defineStrategy({
    id: "for-each",
    description,
    options: Type.Object({
      in: expression("list"),
      item: Type.String(),
      task: Type.Optional(template({ late: true })),
      maxItems: count({ boundOf: "in" }),
      maxParallel: Type.Integer({ minimum: 1, default: 4 }),
    }),
    slots: {
      do: one({
        description: "what is done for one item",
        runs: "maybe",
        order: "beside",
        concurrent: true,
        binds: { name: "item", of: "in" },
      }),
      combine: one({ description: "joins the results", optional: true }),
    },
    result: "list",
    flow: {},
    bounds: ({ maxItems }, children) =>
      sumBounds(timesBounds(children.do, 0, maxItems), children.combine),
    run,
  }),
  defineStrategy({
    id: "agent",
    description,
    options: Type.Object({
      spec: specPath(),
      inputs: Type.Record(Type.String(), Type.Union([Type.Number(), Type.Boolean(), template()]), {
        default: {},
      }),
      output: Type.Optional(Type.String({ minLength: 1 })),
    }),
    flow: { sets: ["answer"] },
    bounds: () => generations(0),
    run,
  }),
  defineStrategy({
    id: "stop",
    description,
    options: Type.Object({ reason: Type.Optional(template()) }),
    flow: { stops: "always" },
    bounds: () => generations(0),
    run,
  }),
  defineStrategy({
    id: "chain-of-thought",
    description,
    options: Type.Object({}),
    flow: { sets: ["answer"] },
    bounds: () => generations(1),
    run,
  }),
];
