import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

function systemsOf(requests: readonly { readonly messages: readonly unknown[] }[]): string[] {
  return requests.map(({ messages }) => (messages[0] as { text: string }).text);
}

describe("the glossary", () => {
  it("puts a term into the prompt where the task holds it as a word", async () => {
    const { requests } = await runScripted(
      `inputs: { note: { type: string, default: "the sku is 7" } }
task: "How is the GMV of today?"
glossary: { gmv: gross merchandise value, SKU: one kind of thing in stock, MV: music video, day: 24 hours }
strategy: direct
`,
      ["4"],
    );
    const [system = ""] = systemsOf(requests);
    expect(system).toContain("Terms used here:\n- gmv: gross merchandise value\n- SKU: one kind");
    expect(system).not.toContain("music video");
    expect(system).not.toContain("24 hours");
  });

  it("finds a term inside a text without spaces, and beside one", async () => {
    const { requests } = await runScripted(
      `task: "本周GMV环比下降的原因"
glossary: { 环比: against the period before, GMV: 成交总额, 同比: against the year before }
strategy: direct
`,
      ["4"],
    );
    const [system = ""] = systemsOf(requests);
    expect(system).toContain("环比: against the period before");
    expect(system).toContain("成交总额");
    expect(system).not.toContain("同比");
  });

  it("follows the last thought, and the answer", async () => {
    const { requests } = await runScripted(
      `tools: [stock]
glossary: { bin: where a thing lies, cycle count: counting one bin a day }
strategy: [react, { direct: { id: after } }]
`,
      [{ ...calling("stock", "nut"), text: "Which bin?" }, "A cycle count is due.", "done"],
      { plugins: [stock] },
    );
    expect(systemsOf(requests).map((text) => text.includes("where a thing lies"))).toEqual([
      false,
      true,
      false,
    ]);
    expect(systemsOf(requests)[2]).toContain("counting one bin a day");
  });
});
