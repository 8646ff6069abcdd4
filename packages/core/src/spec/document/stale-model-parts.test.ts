import { describe, expect, it } from "vitest";
import { compileText, programOf } from "../../../test/stub-plugins.ts";
import type { CompileSettings } from "../../compile/compile-settings.ts";
import type { Program } from "../../program/program.ts";

const spec = (overlay: string, more = ""): string => `apiVersion: loopwright/v1
name: x
model: { use: openai/a, temperature: 0, price: { input: 1, output: 2 } }
models: { judge: { use: openai/j, price: { input: 3, output: 4 } } }
strategy:
  - direct: { id: own, model: { use: openai/o, price: { input: 5, output: 6 } } }
  - verify: { model: { judge: judge } }
  - refine
${more}overlays: { other: ${overlay} }
`;

async function pricesOf(overlay: string, set: Partial<CompileSettings> = {}): Promise<unknown> {
  const { models } = await programOf(spec(overlay), { overlays: ["other"], ...set });
  return Object.fromEntries(models.map(shown));
}

function shown({ id, price }: Program["models"][number]): readonly [string, unknown] {
  return [id, price === undefined ? "none" : `${price.input}/${price.output}`];
}

const set = (...said: readonly string[]): Partial<CompileSettings> => ({
  overrides: said.map((text) => {
    const [path = "", value = ""] = text.split("=");
    return { path, value };
  }),
});

const same = { "openai/j": "3/4", "openai/o": "5/6" };

describe("what a layer leaves of a model when it says another one", () => {
  it.each<readonly [string, string, unknown]>([
    ["does not hold for it", "{ model: { use: openai/b } }", { ...same, "openai/b": "none" }],
    [
      "makes way for the price that the layer says",
      "{ model: { use: openai/b, price: { input: 7, output: 8 } } }",
      { ...same, "openai/b": "7/8" },
    ],
    [
      "holds for the same model",
      "{ model: { use: openai/a, temperature: 0.1 } }",
      { ...same, "openai/a": "1/2" },
    ],
    [
      "holds where `use` is not said",
      "{ model: { temperature: 0.1 } }",
      { ...same, "openai/a": "1/2" },
    ],
    [
      "does not hold for a role",
      "{ models: { judge: { use: openai/k } } }",
      { "openai/a": "1/2", "openai/k": "none", "openai/o": "5/6" },
    ],
    [
      "does not hold for the model of a stage",
      "{ stages: { own: { model: { use: openai/p } } } }",
      { "openai/a": "1/2", "openai/j": "3/4", "openai/p": "none" },
    ],
  ])("%s", async (_, overlay, prices) => {
    expect(await pricesOf(overlay)).toEqual(prices);
  });

  it("does not hold where the command sets the model, whichever it says first", async () => {
    expect(await pricesOf("{}", set("model.use=openai/b"))).toEqual({
      ...same,
      "openai/b": "none",
    });
    const priced = ["model.price.output=8", "model.use=openai/b", "model.price.input=7"];
    expect(await pricesOf("{}", set(...priced))).toEqual({ ...same, "openai/b": "7/8" });
    expect(await pricesOf("{}", set("stages.own.model.use=openai/p"))).toEqual({
      "openai/a": "1/2",
      "openai/j": "3/4",
      "openai/p": "none",
    });
  });

  it("goes with all that was meant for another provider, so that no key goes to its endpoint", async () => {
    const text = spec("{ model: { use: ollama/b, maxTokens: 9 } }").replace(
      "temperature: 0,",
      "temperature: 0, apiKey: '${secret:KEY}', baseUrl: 'https://a.example/v1',",
    );
    const { models } = await programOf(text, { overlays: ["other"] });
    expect(models.find(({ id }) => id === "ollama/b")).toMatchObject({
      options: {},
      sampling: { temperature: 0, maxTokens: 9 },
    });
  });

  it("is missed by a limit in dollars", async () => {
    const { diagnostics } = await compileText(
      spec("{ model: { use: openai/b } }", "limits: { usd: 1 }\n"),
    );
    expect(diagnostics.map(({ code }) => code)).toContain("LW-LIMIT-NO-PRICE");
  });

  it("is not mixed with what a layer says of the price of another model", async () => {
    const { diagnostics } = await compileText(
      spec("{ model: { use: openai/b, price: { input: 7 } } }"),
    );
    expect(diagnostics.map(({ code }) => code)).toContain("LW-SPEC-MISSING-KEY");
  });
});
