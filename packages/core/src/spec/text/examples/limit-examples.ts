import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-LIMIT`. */
export const limitExamples: Readonly<Record<CodesOf<"LW-LIMIT">, DiagnosticExample>> = {
  "LW-LIMIT-BELOW-BOUND": {
    why: "The stages may ask for more than the limit allows, so a run may end `limited` with a partial answer.",
    wrong: `tools: [calculator]
strategy:
  react: { maxSteps: 20 }
limits: { modelCalls: 5 }`,
    right: `tools: [calculator]
strategy:
  react: { maxSteps: 4 }
limits: { modelCalls: 20 }`,
  },
  "LW-LIMIT-UNREACHABLE": {
    why: "The limit is so low that the run would end before it has done anything.",
    wrong: `memory: { lessons: { use: file, path: lessons.jsonl } }
strategy:
  - direct
  - reflect: { into: lessons, always: true }
limits: { modelCalls: 1 }`,
    right: `memory: { lessons: { use: file, path: lessons.jsonl } }
strategy:
  - direct
  - reflect: { into: lessons, always: true }
limits: { modelCalls: 20 }`,
  },
  "LW-LIMIT-UNBOUNDED": {
    why: "Without a most nobody can say what a run costs, and a long list would cost without end.",
    wrong: `inputs: { orders: { type: array, items: string } }
strategy:
  for-each: { in: inputs.orders, item: order, task: "Check {{ order }}", do: direct }`,
    right: `inputs: { orders: { type: array, items: string } }
strategy:
  for-each: { in: inputs.orders, item: order, maxItems: 8, task: "Check {{ order }}", do: direct }`,
  },
  "LW-LIMIT-NO-PRICE": {
    why: "A limit in dollars can only hold where each model has a price; a limit that can't be kept is a false promise.",
    wrong: `model: kimi/kimi-k3
limits: { usd: 0.50 }`,
    right: `model: { use: kimi/kimi-k3, price: { input: 0.60, output: 2.50 } }
limits: { usd: 0.50 }`,
  },
};
