import { describe, expect, it } from "vitest";
import { compileText } from "../../../test/stub-plugins.ts";

const head =
  "apiVersion: loopwright/v1\nname: judged\nmodel: ollama/small\nmodels: { other: ollama/other }\n";

async function said(spec: string): Promise<readonly string[]> {
  const { diagnostics } = await compileText(head + spec);
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
}

const polite = "task: { constraints: [Be polite.] }\n";
const unjudged = "{ verify: { checks: [constraints], model: none } }";

describe("constraints that no rule decides", () => {
  it("are warned of where no model judges", async () => {
    expect(await said(`${polite}strategy: [direct, ${unjudged}]\n`)).toEqual([
      "LW-MODEL-NO-JUDGE 1 constraint has no rule, and `verify` has no judge: nobody looks at it, and the answer is never verified",
    ]);
  });

  it("are nobody's worry where another stage judges, a rule or the wording decides, or inputs say them", async () => {
    const judged = `[direct, ${unjudged}, { verify: { id: judged, model: other } }]`;
    expect(await said(`${polite}strategy: ${judged}\n`)).toEqual([]);
    const decided =
      "task: { constraints: [At most 5 words., { text: Short., rule: size(answer.text) < 9 }] }\n";
    expect(await said(`${decided}strategy: [direct, ${unjudged}]\n`)).toEqual([]);
    const templated =
      'inputs: { wish: { type: string } }\ntask: { constraints: ["{{ inputs.wish }}"] }\n';
    expect(await said(`${templated}strategy: [direct, ${unjudged}]\n`)).toEqual([]);
  });
});
