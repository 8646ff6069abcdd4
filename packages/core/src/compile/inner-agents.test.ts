import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compileText, programOf } from "../../test/stub-plugins.ts";
import { explainProgram, formatExplain } from "./explain.ts";
import { mermaidChart } from "./mermaid-chart.ts";

const head = "apiVersion: loopwright/v1\nname: x\nmodel: ollama/outer\n";
const inner =
  "apiVersion: loopwright/v1\nname: inner\nmodel: ollama/inner\ntools: [calculator]\nstrategy: [react, { verify: { method: cove-later } }]\n";
const middle =
  "apiVersion: loopwright/v1\nname: middle\nmodel: ollama/middle\nstrategy: [{ agent: { spec: ./inner.yaml } }]\n";

function project(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-inner-")));
  writeFileSync(join(root, "inner.yaml"), inner);
  writeFileSync(join(root, "middle.yaml"), middle);
  return root;
}

it("tells once what an agent's spec uses that can't be run yet, at any depth", async () => {
  const strategy =
    "strategy: [{ agent: { spec: ./middle.yaml } }, { agent: { spec: ./middle.yaml } }]\n";
  const { diagnostics } = await compileText(head + strategy, { root: project() });
  const found = diagnostics.filter(({ code }) => code === "LW-SPEC-NOT-YET");
  expect(found).toMatchObject([
    {
      line: 5,
      file: expect.stringContaining("inner.yaml"),
      notes: [expect.stringContaining("middle.yaml:4"), expect.stringContaining("by `agent` at")],
    },
  ]);
});

it("explains an agent by its own models, and no stage by a model that it does not call", async () => {
  const strategy = "strategy: [direct, { agent: { spec: ./inner.yaml } }]\n";
  const tree = explainProgram(await programOf(head + strategy, { root: project() }));
  expect(tree.stages).toMatchObject([
    { models: { default: "ollama/outer" } },
    { models: {}, agent: { name: "inner", models: ["ollama/inner"] } },
  ]);
  expect(tree.models.map(({ id }) => id)).toEqual(["ollama/outer", "ollama/inner"]);
  expect(mermaidChart(tree)).toContain("agent inner: ollama/inner");
});

it("says of an agent that calls no model that it has none", async () => {
  const root = project();
  const silent = "apiVersion: loopwright/v1\nname: silent\nstrategy: { stop: { reason: no } }\n";
  writeFileSync(join(root, "silent.yaml"), silent);
  const strategy = "strategy: [direct, { agent: { spec: ./silent.yaml } }]\n";
  const tree = explainProgram(await programOf(head + strategy, { root }));
  expect(formatExplain(tree, 200)).toMatch(/agent silent, without a model(?:;|\n)/u);
  expect(mermaidChart(tree)).toMatch(/agent silent(?!:)/u);
});
