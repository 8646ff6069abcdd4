import { describe, expect, it } from "vitest";
import { programOf } from "../../test/stub-plugins.ts";
import { diffPrograms, formatDifference } from "./diff-programs.ts";

const head = "apiVersion: loopwright/v1\nname: x\nmodel: ollama/small\n";
const base = `${head}tools: { calculator: { timeout: 5s, approval: always } }
task: Add the numbers that you are given and say nothing else at all.
strategy:
  - react: { maxSteps: 6 }
  - verify: { checks: [evidence], maxRounds: 2, revise: refine }
`;

async function differences(after: string, before: string = base): Promise<readonly string[]> {
  return diffPrograms(await programOf(before), await programOf(after)).map(formatDifference);
}

describe("the difference of two programs", () => {
  it("is none where only comments, quotes and the order of keys differ", async () => {
    const same = `name: x # the name
strategy:
  - react: { maxSteps: 6 }
  - verify: { revise: [refine], maxRounds: 2, checks: ["evidence"] }
task: "Add the numbers that you are given and say nothing else at all."
tools: { calculator: { approval: always, timeout: 5s } }
model: ollama/small
apiVersion: loopwright/v1
`;
    expect(await differences(same)).toEqual([]);
  });

  it("names options, models and the worst case", async () => {
    const after = base
      .replace("maxRounds: 2", "maxRounds: 3, model: ollama/other")
      .replace("maxSteps: 6", "maxSteps: 7");
    expect(await differences(after)).toEqual([
      "react.maxSteps 6 → 7",
      "verify.model changed: ollama/small → ollama/other",
      "verify.maxRounds 2 → 3",
      "worst case 23 → 29 requests",
      "worst case 20 → 24 tool calls",
    ]);
  });

  it("names stages that come, go, move and change places", async () => {
    const two = `${head}strategy: [direct, { direct: { id: second } }, { plan-and-solve: { do: { direct: { id: inner } } } }]\n`;
    const moved = `${head}strategy: [{ direct: { id: second } }, direct, { plan-and-solve: {} }, { direct: { id: inner } }]\n`;
    expect(await differences(moved, two)).toEqual([
      "stage inner moved from plan-and-solve.do to strategy",
      "strategy order changed: direct, second, plan-and-solve → second, direct, plan-and-solve",
    ]);
    const less = `${head}strategy: [direct, { plan-and-solve: { do: { direct: { id: inner } } } }, { direct: { id: third } }]\n`;
    expect(await differences(less, two)).toEqual([
      "stage second removed (was direct in strategy)",
      "stage third added: direct in strategy",
    ]);
  });

  it("names tools and their policies", async () => {
    const after = base.replace(
      "{ timeout: 5s, approval: always } }",
      "{ timeout: 7s, approval: always }, orders/query: {} }",
    );
    expect(await differences(after)).toEqual([
      "react.tools + orders/query",
      "tools.calculator.timeout 5s → 7s",
      expect.stringContaining("tools.orders/query added: orders/query"),
    ]);
  });

  it("says where a text parts", async () => {
    const after = base.replace("say nothing else", "say a great deal");
    expect(await differences(after)).toEqual([
      "task text changed at word 10: “… and say nothing else at all.” → “… and say a great deal at …”",
    ]);
  });

  it("names limits, inputs, output, models' settings and the price ceiling", async () => {
    const before = `${head.replace("ollama/small", "{ use: deepseek/a, price: { input: 1, output: 2 } }")}inputs: { a: string }
strategy: direct
limits: { usd: 0.5, time: 2m }
output: { fields: { reply: string } }
`;
    const after = before
      .replace("output: 2 }", "output: 3 }, temperature: 0.2")
      .replace("usd: 0.5, time: 2m", "usd: 0.2, time: 3m")
      .replace("a: string", "a: integer")
      .replace("reply: string", "reply: string, sure: boolean");
    expect(await differences(after, before)).toEqual([
      "models.default.price.output 2 → 3",
      "models.default.temperature added: 0.2",
      "inputs.properties.a.type string → integer",
      "output.schema.properties.sure added: { type: boolean }",
      "output.schema.required + sure",
      "limits.usd 0.5 → 0.2",
      "limits.time 2m → 3m",
      "price ceiling 0.5 dollars → 0.2 dollars",
    ]);
  });
});
