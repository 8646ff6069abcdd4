import { describe, expect, it } from "vitest";
import { compileText, programOf } from "../../test/stub-plugins.ts";
import { explainProgram, formatExplain } from "./explain.ts";

export const flagship = `apiVersion: loopwright/v1
name: order-desk
version: "1.0.0"
description: Answers order questions; changes an address only after a person agrees.
inputs: { orderId: string }
task:
  deliverable: One short reply to the customer.
  constraints: [Never promise a delivery date that no tool returned.]
model: { use: deepseek/deepseek-v4-flash, temperature: 0, price: { input: 0.50, output: 1.00 } }
models:
  judge: { use: deepseek/deepseek-v4-pro, price: { input: 1.00, output: 2.00 }, fallback: [default] }
tools:
  orders/query: { timeout: 3s, cache: 60s, fallback: The order system is slow; say that you will call back. }
  orders/update-address: { approval: always }
memory:
  lessons: { use: file, path: .loopwright/lessons.jsonl, ttl: 90d }
strategy:
  - recall: { from: lessons, maxLessons: 3 }
  - plan-and-solve:
      maxPlanSteps: 8
      do: { react: { maxSteps: 6 } }
  - verify:
      checks: [evidence, constraints]
      model: judge
      maxRounds: 2
      revise:
        - refine
        - react: { id: more-evidence, when: verdict.needsEvidence, maxSteps: 3 }
  - reflect: { into: lessons, when: verdict.revised || !verdict.passed, always: true }
output:
  fields: { reply: string, addressChanged: boolean }
limits: { modelCalls: 60, toolCalls: 30, usd: 0.50, time: 2m }
sinks: [console, { jsonl: { path: "runs/\${run:id}.jsonl" } }]
`;

describe("compileSpec", () => {
  it("compiles the flagship", async () => {
    const program = await programOf(flagship);
    expect(program.name).toBe("order-desk");
    expect([...program.stages.keys()]).toEqual([
      "recall",
      "plan-and-solve",
      "react",
      "verify",
      "refine",
      "more-evidence",
      "reflect",
    ]);
    console.log(formatExplain(explainProgram(program), 90));
    console.log(program.diagnostics);
    console.log(JSON.stringify(program.canonical, null, 1).slice(0, 6000));
  });
});
