import { describe, expect, it } from "vitest";
import { compileText } from "../../test/stub-plugins.ts";
import type { CompileSettings } from "./compile-settings.ts";
import { provenanceOf, type Saying } from "./provenance.ts";

const spec = `apiVersion: loopwright/v1
name: x
model: ollama/small
toolPolicy: { timeout: 9s }
tools: [calculator, { orders/query: { cache: 1m } }]
strategy:
  - plan-and-solve: { do: { react: { maxSteps: 6 } } }
limits: { modelCalls: "\${env:CALLS}", time: 2m }
overlays:
  prod: { limits: { time: 1m }, stages: { react: { maxSteps: 4 } } }
`;

/** The story of a value: each word on it, the latest first. */
async function storyOf(path: string, settings: Partial<CompileSettings> = {}): Promise<unknown> {
  const { index, program } = await compileText(spec, { env: { CALLS: "50" }, ...settings });
  const { models = [] } = settings;
  const traced = provenanceOf(index, path, { models, ...(program && { program }) });
  if (!traced.ok) return [traced.message, traced.suggestion];
  return [traced.provenance, ...traced.provenance.was].map(words);
}

function words({ value, origin, by, at }: Saying): string {
  const place = at === undefined ? "" : ` ${at.file}:${at.line}`;
  return `${JSON.stringify(value)} ${origin}${by === undefined ? "" : ` ${by}`}${place}`;
}

describe("where a value comes from", () => {
  it.each<readonly [string, string, Partial<CompileSettings>, unknown]>([
    ["a file", "limits.time", {}, ['"2m" file spec.yaml:8']],
    [
      "an overlay",
      "limits.time",
      { overlays: ["prod"] },
      ['"1m" overlay prod spec.yaml:10', '"2m" file spec.yaml:8'],
    ],
    [
      "the command",
      "limits.time",
      { overlays: ["prod"], overrides: [{ path: "limits.time", value: "3m" }] },
      ['"3m" set --set:1', '"1m" overlay prod spec.yaml:10', '"2m" file spec.yaml:8'],
    ],
    ["a variable", "limits.modelCalls", {}, ['"50" env CALLS spec.yaml:8']],
    [
      "a stage by its id",
      "stages.react.maxSteps",
      { overlays: ["prod"] },
      ["4 overlay prod spec.yaml:10", "6 file spec.yaml:7", "8 default `react`"],
    ],
    [
      "a stage by its place",
      "strategy[0].plan-and-solve.do.react.maxSteps",
      { overlays: ["prod"] },
      ["4 overlay prod spec.yaml:10", "6 file spec.yaml:7", "8 default `react`"],
    ],
    ["a plugin", "stages.plan-and-solve.maxPlanSteps", {}, ["6 default `plan-and-solve`"]],
    ["the spec's model", "stages.react.model", {}, ['"ollama/small" default the spec\'s `model`']],
    [
      "the policy of all tools",
      "tools.calculator.timeout",
      {},
      ['"9s" file spec.yaml:4', '"30s" default the effect `read`'],
    ],
    [
      "a tool of a list",
      'tools["orders/query"].cache',
      {},
      ['"1m" file spec.yaml:5', '"0ms" default the effect `read`'],
    ],
    [
      "the effect of a tool",
      "tools.calculator.approval",
      {},
      ['"never" default the effect `read`'],
    ],
    [
      "the model of the command",
      "model",
      { models: [{ match: "*", model: "kimi/k" }] },
      ['"kimi/k" set --model:1', '"ollama/small" file spec.yaml:3'],
    ],
  ])("is %s", async (_, path, settings, story) => {
    expect(await storyOf(path, settings)).toEqual(story);
  });

  it("tells the parts of a map that was said at several places", async () => {
    const { index } = await compileText(spec, { env: { CALLS: "50" }, overlays: ["prod"] });
    const traced = provenanceOf(index, "limits");
    expect(traced.ok && traced.provenance.parts.map(words)).toEqual([
      '"50" env CALLS spec.yaml:8',
      '"1m" overlay prod spec.yaml:10',
    ]);
  });

  it("tells what can't be read, and what lies below it", async () => {
    const text = spec.replace("name: x", 'name: "x').replace("time: 2m }", 'time: "2m }');
    const { index } = await compileText(text.replace("${env:CALLS}", "${env:NONE}"), { env: {} });
    expect(provenanceOf(index, "name")).toMatchObject({
      provenance: { value: null, origin: "file", at: { line: 2 }, isLost: true },
    });
    expect(provenanceOf(index, "limits.time")).toMatchObject({
      ok: false,
      message: "`limits` (line 8) can't be read",
    });
    const { index: unset } = await compileText(spec, { env: {} });
    expect(provenanceOf(unset, "limits.modelCalls")).toMatchObject({
      provenance: { value: "${env:CALLS}", origin: "env", by: "CALLS", isLost: true },
    });
  });

  it.each([
    ["limits.tme", "there is no `tme` in `limits`", "did you mean `time`?"],
    ["limitz", "there is no `limitz` here", "did you mean `limits`?"],
    ["stages.reactt", "no stage is called `reactt`", "did you mean `react`?"],
    ["stages.react.maxStep", "there is no `maxStep` here", "did you mean `maxSteps`?"],
    ["stages", "`stages` needs an id", "stages here: plan-and-solve, react"],
  ])("is nowhere for %s, which is told", async (path, message, suggestion) => {
    expect(await storyOf(path)).toEqual([message, suggestion]);
  });
});
