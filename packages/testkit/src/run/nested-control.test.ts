import { createApp, explainProgram } from "@loopwright/core";
import type { ProviderRequest } from "@loopwright/core/plugin";
import { type ScriptedReply, scriptedProvider } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { misnested } from "../promises/misnested.ts";
import { builtIn, packageOf, runScripted, specOf, toolOf } from "../promises/run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

/** Picks the case that is named, plans two steps that depend on each other, and passes nothing. */
function replyTo(request: ProviderRequest, count: number): ScriptedReply {
  const properties = (request.output?.schema["properties"] ?? {}) as Record<
    string,
    { readonly enum?: readonly string[] } | undefined
  >;
  if (properties["case"] !== undefined)
    return { json: { case: properties["case"].enum?.[0] ?? "" } };
  if (properties["outcome"] !== undefined) {
    const issue = { kind: "incomplete", detail: "x", requiredAction: "y", needs: "rewrite" };
    return { json: { outcome: "revise", issues: [issue], supportedEvidence: [] } };
  }
  if (properties["steps"] !== undefined) {
    const step = { needsExternalInfo: false, successCondition: "done" };
    const steps = [
      { id: "a", objective: "first", ...step, dependsOn: [] },
      { id: "b", objective: "second", ...step, dependsOn: ["a"] },
    ];
    return { json: { goal: "g", constraints: [], conflicts: [], steps } };
  }
  return { text: `answer ${count}` };
}

const each = (stage: string): string =>
  `for-each: { in: plan.steps, item: step, maxItems: 3, do: ${stage}, combine: direct }`;
const loop = (stage: string): string =>
  `loop: { maxRounds: 2, until: answer.revision > 99, do: ${stage} }`;
const choose = (stage: string): string =>
  `choose: { cases: { one: { description: One., do: ${stage} }, two: { description: Two., do: [direct, direct] } } }`;
const beside = (stage: string): string =>
  `parallel: { branches: { left: ${stage}, right: react }, combine: direct }`;
const tries = (stage: string): string => `fallback: { try: [${stage}, direct] }`;
const branch = (stage: string): string =>
  `branch: { if: "size(plan.steps) > 1", then: ${stage}, else: direct }`;
const judged = (stage: string): string =>
  `verify: { model: judge, maxRounds: 2, revise: [refine, ${stage}] }`;
const map = (stage: string): string => `{ ${stage} }`;

/** Builds a stage from the inside out. */
function nest(...ways: readonly ((stage: string) => string)[]): string {
  return ways.reduceRight((inner, way) => map(way(inner)), "react");
}

const NESTINGS: readonly (readonly [string, string])[] = [
  ["choose in fallback in parallel in for-each in loop", nest(loop, each, beside, tries, choose)],
  ["for-each in for-each", nest(each, (inner) => each(inner).replace("item: step", "item: other"))],
  ["parallel in parallel in choose", nest(choose, beside, beside)],
  ["loop in verify in loop", nest(loop, judged, loop)],
  ["fallback in fallback in branch", nest(branch, tries, tries)],
  ["branch in for-each in verify", nest(judged, each, branch)],
  ["choose in choose in loop", nest(loop, choose, choose)],
  ["verify in parallel in fallback", nest(tries, beside, judged)],
  ["for-each in branch in parallel", nest(beside, branch, each)],
  ["loop in for-each in fallback in choose", nest(choose, tries, each, loop)],
];

describe("control stages inside each other", () => {
  it.each(NESTINGS)("%s: check, explain and run agree", async (_name, stage) => {
    const body = `tools: { stock: {} }\nmodels: { judge: stub/judge }\nstrategy: [plan, direct, { verify: { model: judge } }, ${stage}]\n`;
    const app = await createApp({
      plugins: [...builtIn, packageOf([scriptedProvider("stub", []), stock])],
      discovery: false,
    });
    const { program, diagnostics } = await app.check({ text: specOf(body), file: "spec.yaml" });
    await app.close();
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    if (program === undefined) throw new Error("no program");
    const { totals, stages } = explainProgram(program);
    let count = 0;
    const { outcome, events, requests } = await runScripted(
      body,
      (request) => replyTo(request, (count += 1)),
      { plugins: [stock] },
    );
    expect(outcome).toMatchObject({ outcome: "done" });
    expect(outcome.answer.revision).toBeGreaterThan(0);
    expect(requests.length).toBeGreaterThanOrEqual(totals.requests[0]);
    expect(requests.length).toBeLessThanOrEqual(totals.requests[1]);
    expect(stages).toHaveLength(4);
    expect(unbalanced(events)).toEqual([]);
    expect(misnested(events)).toEqual([]);
  });
});
