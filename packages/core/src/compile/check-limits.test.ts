import { describe, expect, it } from "vitest";
import { compileText } from "../../test/stub-plugins.ts";

const head = "apiVersion: loopwright/v1\nname: limits\nmodel: ollama/s\ntools: [calculator]\n";

async function said(spec: string): Promise<readonly string[]> {
  const { diagnostics } = await compileText(head + spec);
  return diagnostics.map(({ code }) => code);
}

describe("a limit", () => {
  it("may be as high as the worst case, or as low as the least", async () => {
    expect(await said("strategy: chain-of-thought\nlimits: { modelCalls: 2 }\n")).toEqual([]);
    expect(
      await said("strategy: [direct, { react: { maxSteps: 2 } }]\nlimits: { modelCalls: 2 }\n"),
    ).toEqual(["LW-LIMIT-BELOW-BOUND"]);
  });

  it("can be met where a stage may end the run before the others", async () => {
    expect(
      await said(
        "strategy: [direct, { branch: { if: answer.solvable, then: stop } }, { direct: { id: second } }, { direct: { id: third } }]\nlimits: { modelCalls: 2 }\n",
      ),
    ).toEqual(["LW-LIMIT-BELOW-BOUND"]);
  });

  it("can be met where stages are guarded, or a loop may not run", async () => {
    expect(
      await said(
        "strategy: [direct, { direct: { id: second, when: answer.solvable } }, { loop: { maxRounds: 2, until: answer.solvable, do: react } }]\nlimits: { modelCalls: 2 }\n",
      ),
    ).toEqual(["LW-LIMIT-BELOW-BOUND"]);
  });

  it("of tokens is left alone where a run might keep to it", async () => {
    expect(
      await said("strategy: direct\ninstructions: Be short.\nlimits: { tokens: 10 }\n"),
    ).toEqual([]);
  });

  it("of a switch counts the stages that it leaves on", async () => {
    const limited = (stages: string): string =>
      `strategy: [direct, { react: { maxSteps: 4 } }]\nswitches: { thrift: { ${stages}limits: { modelCalls: 2 } } }\n`;
    expect(await said(limited(""))).toEqual(["LW-LIMIT-BELOW-BOUND"]);
    expect(await said(limited("stages: [react], "))).toEqual([]);
  });
});
