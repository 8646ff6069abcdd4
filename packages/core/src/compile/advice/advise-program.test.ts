import { describe, expect, it } from "vitest";
import { compileText } from "../../../test/stub-plugins.ts";

const head = "apiVersion: loopwright/v1\nname: advice\n";
const cold = "model: { use: ollama/s, temperature: 0 }\n";
const warm = "model: { use: ollama/s, temperature: 0.9 }\n";

/** The codes of all that is said of a spec. */
async function said(spec: string): Promise<readonly string[]> {
  const { diagnostics } = await compileText(head + spec);
  return diagnostics.map(({ code }) => code);
}

describe("samples", () => {
  it("may be cold where only a verifier is, or a stage beside the samples", async () => {
    const models = `${warm}models: { strict: { use: ollama/strict, temperature: 0 } }\ntask: { constraints: [Be short.] }\n`;
    const verify = "verify: { checks: [constraints], model: strict }";
    expect(
      await said(
        `${models}strategy: { self-consistency: { model: { judge: strict }, do: [direct, { ${verify} }] } }\n`,
      ),
    ).toEqual([]);
    expect(
      await said(
        `${cold}strategy: { parallel: { branches: { one: direct, two: { reflect: {} } } } }\n`,
      ),
    ).toEqual([]);
  });

  it("may be drawn hot although the output has a form", async () => {
    expect(
      await said(
        `${warm}strategy: { self-consistency: { model: { judge: ollama/other }, do: direct } }\noutput: { fields: { reply: string } }\n`,
      ),
    ).toEqual([]);
  });
});

describe("samples beside a faulty stage", () => {
  it("are still told to be alike", async () => {
    expect(
      await said(
        `${cold}strategy:\n  - self-consistency: { samples: 3, do: direct }\n  - direct: { id: last, when: "nope > 1" }\n`,
      ),
    ).toContain("LW-MODEL-ALIKE-SAMPLES");
  });
});

describe("the temperature of a stage whose answer has a form", () => {
  it("may be 0.3, or the endpoint's own", async () => {
    const output = "strategy: direct\noutput: { fields: { reply: string } }\n";
    expect(await said(`model: { use: ollama/s, temperature: 0.3 }\n${output}`)).toEqual([]);
    expect(await said(`model: ollama/s\n${output}`)).toEqual([]);
  });

  it("may be high where there is no form, and in stages that write no answer", async () => {
    expect(await said(`${warm}strategy: direct\n`)).toEqual([]);
    expect(
      await said(
        `${cold}models: { free: { use: ollama/s, temperature: 0.9 } }\nstrategy: [direct, { reflect: { model: free } }]\noutput: { fields: { reply: string } }\n`,
      ),
    ).toEqual([]);
  });
});

describe("chain-of-thought", () => {
  it("may be asked of a model that does not think, or must not", async () => {
    expect(await said("model: ollama/s\nstrategy: chain-of-thought\n")).toEqual([]);
    expect(
      await said("model: { use: kimi/k3, effort: none }\nstrategy: chain-of-thought\n"),
    ).toEqual([]);
    expect(await said("model: kimi/k3\nstrategy: direct\n")).toEqual([]);
  });
});

describe("a judge", () => {
  const task = "task: { constraints: [Be short.] }\n";

  it("may be the author where a check looks too, or nothing is asked of a model", async () => {
    const verify = (options: string): string =>
      `model: ollama/s\n${task}strategy: [direct, { verify: { ${options} } }]\n`;
    expect(await said(verify("checks: [constraints]"))).toEqual([]);
    expect(await said(verify("checks: [evidence, constraints], model: none"))).not.toContain(
      "LW-MODEL-SELF-JUDGE",
    );
  });

  it("may be another model than the author", async () => {
    expect(
      await said("model: ollama/s\nstrategy: [direct, { verify: { model: ollama/other } }]\n"),
    ).toEqual([]);
    expect(
      await said(
        "model: ollama/s\nstrategy: [direct, { verify: { model: { judge: ollama/other } } }]\n",
      ),
    ).toEqual([]);
  });

  it("may be a model that writes only afterwards", async () => {
    expect(
      await said(
        "model: ollama/s\nstrategy: [{ direct: { model: ollama/other } }, verify, { direct: { id: last } }]\n",
      ),
    ).toEqual([]);
  });
});

describe("examples", () => {
  it("may be of the same kind as the task, and short answers may occur in it", async () => {
    expect(
      await said(
        "model: ollama/s\ntask: Is 7 prime, yes or no?\nstrategy: { direct: { examples: [{ task: 'Is 9 prime, yes or no?', answer: no. }, { task: Is 5 prime?, answer: 'yes' }] } }\n",
      ),
    ).toEqual([]);
  });

  it("may stand beside a task that is an input alone", async () => {
    expect(
      await said(
        "model: ollama/s\ninputs: { q: string }\ntask: '{{ inputs.q }}'\nstrategy: { direct: { examples: [{ task: Why is the sky blue?, answer: Scattering. }] } }\n",
      ),
    ).toEqual([]);
  });
});

describe("instructions", () => {
  it("may have twenty lines, empty ones not counted", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `  Rule ${index}.\n\n`).join("");
    expect(await said(`model: ollama/s\nstrategy: direct\ninstructions: |\n${lines}`)).toEqual([]);
  });

  it("are not counted where a stage asks no model", async () => {
    const lines = Array.from({ length: 25 }, (_, index) => `  Rule ${index}.\n`).join("");
    expect(
      await said(
        `model: ollama/s\nstrategy: [{ stop: { instructions: Bye. } }]\ninstructions: |\n${lines}`,
      ),
    ).toEqual([]);
  });

  it("may hold inputs that can give no orders", async () => {
    expect(
      await said(
        "model: ollama/s\ninputs: { n: integer, isShort: boolean, tone: [kind, dry] }\ninstructions: 'Use {{ inputs.n }} words, {{ inputs.tone }}, short: {{ inputs.isShort }}.'\nstrategy: direct\n",
      ),
    ).toEqual([]);
  });
});

describe("a tool that must run once", () => {
  const tools =
    "model: { use: ollama/s, temperature: 0.9 }\ntools: { orders/update-address: { approval: always } }\n";

  it("may be named where a stage runs once, also beside others", async () => {
    expect(await said(`${tools}strategy: { react: { tools: [orders/update-address] } }\n`)).toEqual(
      [],
    );
    expect(
      await said(
        `${tools}strategy: { parallel: { branches: { act: { react: { tools: [orders/update-address] } }, learn: reflect } } }\n`,
      ),
    ).toEqual([]);
  });

  it("may be named for each of several items where a person is asked each time", async () => {
    expect(
      await said(
        `${tools}inputs: { ids: { type: array, items: string } }\nstrategy:\n  - for-each: { id: all, in: inputs.ids, item: one, maxItems: 5, do: { react: { tools: [orders/update-address] } } }\n  - direct: { prompt: "{{ results.all }}" }\n`,
      ),
    ).toEqual([]);
  });
});

describe("a tool's description", () => {
  it.each([
    "Finds a parcel by its number. Use it for questions about delivery; it changes nothing. Returns the place and the day.",
    "查询订单的物流状态。用户问到包裹时使用；不要用来改地址。返回地点和时间。",
  ])("is a manual: %s", async (description) => {
    expect(
      await said(
        `model: ollama/s\ntools:\n  parcel: { use: http-get, url: "https://example.com", input: { id: string }, description: "${description}" }\nstrategy: react\n`,
      ),
    ).toEqual([]);
  });
});
