import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp, explainProgram, formatExplain } from "@loopwright/core";
import { providers, scriptedProvider } from "@loopwright/providers";
import { expect, it } from "vitest";
import { builtIn, packageOf, specOf, toolOf } from "../promises/run-scripted.ts";

const OUTPUT =
  'output:\n  schema:\n    type: object\n    required: [code]\n    properties: { code: { type: string, pattern: "^[A-Z]{3}$" } }\n';

/** What is said of the models of a spec, as data by id and as text. */
async function explained(
  body: string,
  root?: string,
): Promise<{ readonly forms: Readonly<Record<string, unknown>>; readonly text: string }> {
  const plugins = [toolOf("stock", () => "4"), scriptedProvider("silent", [])];
  const app = await createApp({
    plugins: [...builtIn, providers, packageOf(plugins)],
    discovery: false,
    ...(root === undefined ? {} : { root }),
  });
  const { program, diagnostics } = await app.check({ text: specOf(body), file: "spec.yaml" });
  await app.close();
  if (program === undefined) throw new Error(JSON.stringify(diagnostics));
  const tree = explainProgram(program);
  return {
    forms: Object.fromEntries(tree.models.map(({ id, output }) => [id, output])),
    text: formatExplain(tree, 1_000),
  };
}

const OVER_KIMI = "profile: { structured: json-schema, dialect: mfjs }";

it("says on which layer the output is asked for, and what is told in words only", async () => {
  const { forms, text } = await explained(
    `model: { use: kimi/kimi-k3, ${OVER_KIMI}, fallback: [deepseek/deepseek-chat, anthropic-compat/claude] }\nstrategy: direct\n${OUTPUT}`,
  );
  expect(forms).toMatchObject({
    "kimi/kimi-k3": { layer: "json-schema", dialect: "mfjs", inWords: ["pattern at code"] },
    "deepseek/deepseek-chat": { layer: "json-mode" },
    "anthropic-compat/claude": { layer: "prompt" },
  });
  expect(text).toContain("; output: json-schema (mfjs); in words only: pattern at code\n");
  expect(text).toContain("; output: json-mode; the schema in words only\n");
  expect(text).toContain("; output: prompt\n");
});

it.each([
  ["the spec wants a lower one", "structured: json-mode", "", { layer: "json-mode" }],
  ["the model reasons in free text", OVER_KIMI, "  reasoning: free\n", { layer: "prompt" }],
])("says a lower layer where %s", async (_name, setting, more, form) => {
  const { forms } = await explained(
    `model: { use: ollama/small, ${setting} }\nstrategy: direct\n${OUTPUT}${more}`,
  );
  expect(forms["ollama/small"]).toEqual(form);
});

it("says why a schema goes a layer down", async () => {
  const tree = "{ type: object, properties: { child: { $ref: '#/$defs/tree' } } }";
  const { forms, text } = await explained(
    `model: { use: kimi/kimi-k3, profile: { structured: json-schema, dialect: anthropic } }\nstrategy: direct\noutput: { schema: { type: object, required: [tree], properties: { tree: { $ref: '#/$defs/tree' } }, $defs: { tree: ${tree} } } }\n`,
  );
  const why = "anthropic can't say it: leads back to itself, which can't be said";
  expect(forms["kimi/kimi-k3"]).toEqual({ layer: "json-mode", why });
  expect(text).toContain(`; output: json-mode; the schema in words only; ${why}\n`);
});

it("says that a schema stands in words alone beside tools where the endpoint takes no both", async () => {
  const { forms, text } = await explained(
    `model: ollama/small\ntools: [stock]\nstrategy: react\n${OUTPUT}`,
  );
  expect(forms["ollama/small"]).toMatchObject({ layer: "json-schema", besideTools: "prompt" });
  expect(text).toContain("; beside tools: prompt\n");
});

it("says nothing of models that give no such answer, or whose provider does not tell", async () => {
  const plain = await explained("model: ollama/small\nstrategy: direct\n");
  expect(plain.forms).toEqual({ "ollama/small": undefined });
  const mixed = await explained(
    `model: silent/x\nmodels: { planner: ollama/small }\nstrategy: [{ plan: { model: planner } }, direct]\n${OUTPUT}`,
  );
  expect(mixed.forms).toEqual({ "silent/x": undefined, "ollama/small": undefined });
  expect(`${plain.text}${mixed.text}`).not.toContain("output:");
});

it("says of the models of an inner agent how they are asked for its own output", async () => {
  const root = await mkdtemp(join(tmpdir(), "loopwright-explain-"));
  try {
    const inner = specOf("model: ollama/small\nstrategy: direct\n") + OUTPUT;
    await writeFile(join(root, "inner.yaml"), inner);
    const { forms } = await explained(
      "strategy: { agent: { spec: ./inner.yaml } }\nmodel: kimi/x\n",
      root,
    );
    expect(forms["ollama/small"]).toMatchObject({ layer: "json-schema", dialect: "llamacpp" });
  } finally {
    await rm(root, { recursive: true });
  }
});
