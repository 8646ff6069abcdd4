import { describeCheck } from "@loopwright/testkit";
import { arithmetic } from "./arithmetic.ts";
import { constraints } from "./constraints.ts";
import { evidence } from "./evidence.ts";
import { rule } from "./rule.ts";
import { schema } from "./schema.ts";

describeCheck(arithmetic, {
  passes: [
    { state: { answer: { text: "2 + 2 = 4", reasoning: "209 * 0.92 = 192.28" } } },
    { state: { answer: { text: "(10 - 4) * (5 - 1) = 24" } }, options: { equals: 24 } },
  ],
  finds: [
    { state: { answer: { text: "2 + 2 = 5" } } },
    { state: { answer: { text: "6 * 5 = 30" } }, options: { equals: 24, uses: [4, 5, 6, 10] } },
  ],
});

const short = { id: "short", text: "Use at most 5 words." };
const positive = { id: "positive", text: "The total is positive.", rule: "answer.value.total > 0" };

describeCheck(constraints, {
  passes: [
    { state: { task: { constraints: [short] }, answer: { text: "It is 4." } } },
    { state: { task: { constraints: [positive] } }, context: { evaluate: () => true } },
  ],
  finds: [
    { state: { task: { constraints: [short] }, answer: { text: "It is 4, I am sure of it." } } },
    { state: { task: { constraints: [positive] } }, context: { evaluate: () => false } },
    { state: { task: { constraints: [positive] } }, context: { evaluate: () => "yes" } },
  ],
});

const shipped = {
  id: "observation-1",
  tool: "orders/query",
  input: { orderId: "A20260824001" },
  content: "shippedOn: 2026-08-25",
  ok: true,
  degraded: false,
};
const cites = { evidence: ["observation-1"] };

describeCheck(evidence, {
  passes: [
    { state: { observations: [shipped], answer: { text: "It left on 2026-08-25.", ...cites } } },
    { state: { answer: { text: "I can't know.", solvable: false } } },
  ],
  finds: [
    { state: { observations: [shipped], answer: { text: "It comes on 2026-08-28.", ...cites } } },
    { state: { observations: [shipped], answer: { text: "It left on 2026-08-25." } } },
    {
      state: { observations: [{ ...shipped, ok: false }], answer: { text: "It left.", ...cites } },
    },
  ],
});

describeCheck(rule, {
  options: { expr: "answer.value.total > 0", message: "The total must be positive." },
  passes: [{ state: {}, context: { evaluate: () => true } }],
  finds: [
    { state: {}, context: { evaluate: () => false } },
    { state: {}, context: { evaluate: () => null } },
  ],
});

const total = {
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
  additionalProperties: false,
};

describeCheck(schema, {
  options: { schema: total },
  passes: [{ state: { answer: { value: { total: 4 } } } }],
  finds: [
    { state: { answer: { value: { total: "4" } } } },
    { state: { answer: { value: {} } } },
    { state: { answer: { value: { total: 4, tax: 1 } } } },
  ],
});
