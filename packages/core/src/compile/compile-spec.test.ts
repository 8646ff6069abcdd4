import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileText, programOf, stubPlugins } from "../../test/stub-plugins.ts";
import { compileSpec } from "./compile-spec.ts";
import { explainProgram, formatExplain } from "./explain.ts";
import type { Program } from "../program/program.ts";

const flagship = `apiVersion: loopwright/v1
name: order-desk
version: "1.0.0"
description: Answers order questions; changes an address only after a person agrees.
inputs: { orderId: string }
task:
  deliverable: One short reply to the customer.
  constraints: [Never promise a delivery date that no tool returned.]
model: { use: deepseek/deepseek-v4-flash, temperature: 0, price: { input: 0.50, output: 1.00 } }
models:
  judge: { use: deepseek/deepseek-v4-pro, price: { input: 1.00, output: 2.00 }, fallback: [default] }
tools:
  orders/query: { timeout: 3s, cache: 60s, fallback: The order system is slow; say that you will call back. }
  orders/update-address: { approval: always }
memory:
  lessons: { use: file, path: .loopwright/lessons.jsonl, ttl: 90d }
strategy:
  - recall: { from: lessons, maxLessons: 3 }
  - plan-and-solve:
      maxPlanSteps: 8
      do: { react: { maxSteps: 6 } }
  - verify:
      checks: [evidence, constraints]
      model: judge
      maxRounds: 2
      revise:
        - refine
        - react: { id: more-evidence, when: verdict.needsEvidence, maxSteps: 3 }
  - reflect: { into: lessons, when: verdict.revised || !verdict.passed, always: true }
output:
  fields: { reply: string, addressChanged: boolean }
limits: { modelCalls: 60, toolCalls: 30, usd: 0.50, time: 2m }
sinks: [console, { jsonl: { path: "runs/\${run:id}.jsonl" } }]
`;

const gameOf24 = `apiVersion: loopwright/v1
name: game-of-24
inputs: { numbers: { type: array, items: integer, minItems: 4, maxItems: 4 } }
task: "Use {{ inputs.numbers }} and + - * / to make 24."
models:
  small: { use: qwen/qwen3-8b, temperature: 0.7 }
  middle: qwen/qwen3-32b
  large: deepseek/deepseek-v4-pro
strategy:
  - tree-of-thoughts:
      depth: 4
      model: { propose: small, value: middle, judge: large }
      prompt: { propose: "Propose a step for {{ inputs.numbers }}." }
  - verify: { checks: [{ arithmetic: { equals: 24, uses: "{{ inputs.numbers }}" } }], model: none }
limits: { modelCalls: 300 }
`;

const discount = `apiVersion: loopwright/v1
name: discount
inputs: { price: { type: number, default: 249 } }
task: { text: "A jacket costs {{ inputs.price }}.", constraints: [{ text: Stay positive., rule: answer.value.total > 0 }] }
model: { use: scripted/discount, file: scripts/discount.yaml }
strategy:
  - direct
  - verify:
      checks: [{ rule: { expr: answer.value.total < inputs.price, message: It must be cheaper. } }]
      model: none
      maxRounds: 2
      revise: refine
output: { reasoning: first, fields: { total: number }, repair: 2 }
`;

const small = (rest: string): string =>
  `apiVersion: loopwright/v1\nname: small\nmodel: ollama/s\n${rest}`;

function warnings(program: Program): readonly string[] {
  return program.diagnostics.map(({ code, line }) => `${code} ${line}`);
}

describe("compileSpec", () => {
  it("compiles the flagship with every level applied", async () => {
    const program = await programOf(flagship);
    expect([...program.stages.keys()]).toEqual([
      "recall",
      "plan-and-solve",
      "react",
      "verify",
      "refine",
      "more-evidence",
      "reflect",
    ]);
    expect(program.tools.get("orders/query")).toMatchObject({
      wireName: "orders_query",
      policy: { effect: "read", approval: "never", timeoutMs: 3_000, cacheMs: 60_000, repeat: 3 },
    });
    expect(program.tools.get("orders/update-address")?.policy.approval).toBe("always");
    expect(program.memories.get("lessons")?.options).toEqual({
      path: "/.loopwright/lessons.jsonl",
      ttl: 7_776_000_000,
    });
    expect(program.sinks.map(({ name, options }) => [name, options])).toEqual([
      ["console", {}],
      ["jsonl", { path: "/runs/${run:id}.jsonl" }],
    ]);
    expect(program.models.map(({ id, role, fallback }) => [id, role, fallback.length])).toEqual([
      ["deepseek/deepseek-v4-flash", "default", 0],
      ["deepseek/deepseek-v4-pro", "judge", 1],
    ]);
    expect(program.stages.get("verify")?.models["default"]?.fallback[0]).toBe(program.models[0]);
    expect(program.stages.get("react")?.tools).toEqual(["orders/query", "orders/update-address"]);
    expect(program.stages.get("verify")?.tools).toEqual([]);
    expect(program.stages.get("reflect")).toMatchObject({
      always: true,
      options: { into: "lessons" },
    });
    expect(program.limits).toEqual({ modelCalls: 60, toolCalls: 30, usd: 0.5, timeMs: 120_000 });
    expect(program.checks.map((check) => check.definition.id)).toEqual(["evidence", "constraints"]);
    expect(warnings(program)).toEqual(["LW-LIMIT-BELOW-BOUND 32"]);
  });

  it("gives each voice its model and keeps typed templates of checks", async () => {
    const program = await programOf(gameOf24);
    const tree = program.stages.get("tree-of-thoughts");
    expect(
      Object.entries(tree?.models ?? {}).map(([voice, model]) => [voice, model.model]),
    ).toEqual([
      ["propose", "qwen3-8b"],
      ["value", "qwen3-32b"],
      ["judge", "deepseek-v4-pro"],
    ]);
    expect(Object.keys(tree?.prompts ?? {})).toEqual(["propose"]);
    expect(program.stages.get("verify")).toMatchObject({
      noModel: true,
      models: {},
      options: { checks: [{ check: "arithmetic", instance: 0 }] },
    });
    expect(program.checks[0]?.options).toEqual({ equals: 24, uses: "{{ inputs.numbers }}" });
    expect(program.checks[0]?.templates.get("/uses")?.isWholeValue).toBe(true);
    expect(program.bounds.requests).toEqual([1, 161]);
  });

  it("types rules by the inputs and the output's fields", async () => {
    const program = await programOf(discount, { root: "/tmp" });
    expect(program.task.constraints[0]).toMatchObject({
      id: "c1",
      rule: { source: "answer.value.total > 0" },
    });
    expect([...(program.checks[0]?.expressions.keys() ?? [])]).toEqual([
      "answer.value.total < inputs.price",
    ]);
    expect(program.models[0]).toMatchObject({
      profile: "scripted",
      price: { input: 0, output: 0 },
      options: { file: "/tmp/scripts/discount.yaml" },
    });
    expect(program.output).toMatchObject({ reasoning: "first", repair: 2 });
    expect(program.bounds.requests).toEqual([1, 9]);
  });

  it("leaves secrets as text and escapes nothing else", async () => {
    const program = await programOf(
      small(`tools:
  weather: { use: http-get, description: The weather., url: "https://x.test/\${env:PLACE}", headers: { X-Token: "\${secret:KEY}" }, input: { city: string } }
strategy: react
`),
      { env: { PLACE: "here" } },
    );
    const tool = program.tools.get("weather");
    expect(tool?.options).toMatchObject({
      url: "https://x.test/here",
      headers: { "X-Token": "${secret:KEY}" },
    });
    expect(tool?.description).toBe("The weather.");
    expect(tool?.input).toMatchObject({
      properties: { city: { type: "string" } },
      required: ["city"],
    });
    expect(JSON.stringify(program.canonical)).toContain("${secret:KEY}");
  });

  it("reads whole values of variables by the type of their field", async () => {
    const spec = small(
      'strategy:\n  - react: { maxSteps: "${env:STEPS}" }\ndryRun: "${env:DRY}"\nversion: "${env:VERSION}"\n',
    );
    const program = await programOf(spec, { env: { STEPS: "4", DRY: "true", VERSION: "007" } });
    expect(program.stages.get("react")?.options["maxSteps"]).toBe(4);
    expect(program.dryRun).toBe(true);
    expect(program.version).toBe("007");
  });

  it("fills defaults in, also inside maps that are written", async () => {
    const spec = small(
      'strategy:\n  - ask: { question: "Why?", limits2: {}, value: "{{ inputs }}", shape: { city: string } }\n  - direct\n',
    );
    const { options, templates } = (await programOf(spec)).stages.get("ask") ?? {};
    expect(options).toMatchObject({
      limits2: { tokens: 100, share: 0.5 },
      value: "{{ inputs }}",
      shape: { type: "object", required: ["city"] },
    });
    expect([...(templates?.keys() ?? [])]).toEqual(["/question", "/value"]);
  });

  it("names wires and stages once each", async () => {
    const program = await programOf(
      small(
        "tools:\n  a.b: { use: calculator }\n  a/b: { use: calculator }\nstrategy: [direct, direct, { react: { id: act } }]\n",
      ),
    );
    expect([...program.tools.values()].map((tool) => tool.wireName)).toEqual(["a_b", "a_b_2"]);
    expect([...program.stages.keys()]).toEqual(["direct", "direct-2", "act"]);
  });

  it("tells a file that is missing, with what lies near", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loopwright-"));
    writeFileSync(join(folder, "triage.yaml"), small("strategy: direct\n"));
    const settings = { plugins: stubPlugins, env: {} };
    const { program, diagnostics } = await compileSpec(
      { file: join(folder, "triagee.yaml") },
      settings,
    );
    expect(program).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: "LW-FILE-MISSING", suggestion: "did you mean `triage.yaml`?" },
    ]);
    const good = await compileSpec({ file: join(folder, "triage.yaml") }, settings);
    expect(good.program).toMatchObject({ root: folder, file: join(folder, "triage.yaml") });
  });

  it("refuses a path that leaves the project through a link", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loopwright-"));
    symlinkSync("/usr", join(folder, "out"));
    const spec = small("strategy: direct\nsinks: [{ jsonl: { path: out/run.jsonl } }]\n");
    const { diagnostics } = await compileText(spec, { root: folder });
    expect(diagnostics.map((item) => item.code)).toEqual(["LW-FILE-OUTSIDE-ROOT"]);
  });

  it("lays a spec over the one that it extends, and tells a fault at its own place", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loopwright-"));
    writeFileSync(
      join(folder, "base.yaml"),
      small("tools: { calculator: { timeout: 3s } }\nstrategy: [react]\n"),
    );
    const over =
      "apiVersion: loopwright/v1\nname: over\nextends: ./base.yaml\ntools: { calculator: { cache: 5s } }\n";
    const settings = { plugins: stubPlugins, env: {}, root: folder };
    const { program } = await compileSpec({ text: over, file: "over.yaml" }, settings);
    expect(program?.name).toBe("over");
    expect(program?.tools.get("calculator")?.policy).toMatchObject({
      timeoutMs: 3_000,
      cacheMs: 5_000,
    });
    writeFileSync(join(folder, "base.yaml"), small("strategy: [reakt]\n"));
    const { diagnostics, sources } = await compileSpec({ text: over, file: "over.yaml" }, settings);
    const fault = diagnostics.find(
      (item) => item.code === "LW-PLUGIN-UNKNOWN" && item.file === "base.yaml",
    );
    expect(fault).toMatchObject({ line: 4, notes: ["by `extends` at over.yaml:3"] });
    expect(sources.get("base.yaml")?.[3]).toBe("strategy: [reakt]");
    writeFileSync(join(folder, "base.yaml"), "extends: over.yaml\n");
    writeFileSync(join(folder, "over.yaml"), over);
    const circle = await compileSpec({ file: join(folder, "over.yaml") }, settings);
    expect(circle.diagnostics.map((item) => item.code)).toEqual(["LW-FILE-EXTENDS-CYCLE"]);
  });
});

describe("values set by the command", () => {
  it("sets options, limits and settings over the file", async () => {
    const program = await programOf(flagship, {
      overrides: [
        { path: "stages.react.maxSteps", value: "4" },
        { path: "stages.more-evidence.tools", value: "read" },
        { path: "limits.modelCalls", value: "2k" },
        { path: "limits.time", value: "5m" },
      ],
    });
    expect(program.stages.get("react")?.options["maxSteps"]).toBe(4);
    expect(program.stages.get("more-evidence")?.tools).toEqual(["orders/query"]);
    expect(program.limits).toMatchObject({ modelCalls: 2_000, timeMs: 300_000 });
  });

  it("refuses what cannot be set", async () => {
    const { diagnostics } = await compileText(flagship, {
      overrides: [
        { path: "stages.reakt.maxSteps", value: "4" },
        { path: "stages.verify.revise", value: "refine" },
        { path: "name.first", value: "x" },
        { path: "stages.react.maxSteps", value: "many" },
        { path: "limits", value: "{modelCalls: 4" },
      ],
    });
    expect(diagnostics.map(({ code, file }) => `${file} ${code}`)).toEqual([
      "--set stages.reakt.maxSteps LW-STAGE-UNKNOWN-ID",
      "--set stages.verify.revise LW-SPEC-PATCH",
      "--set name.first LW-SPEC-PATCH",
      "--set stages.react.maxSteps LW-VALUE-NUMBER-EXPECTED",
      "--set limits LW-SPEC-PATCH",
    ]);
    expect(diagnostics.at(-1)?.message).toBe("in the value of `limits` the brace is not closed");
  });

  it("replaces one role, the default, or every model", async () => {
    const one = await programOf(flagship, { models: [{ match: "judge", model: "ollama/judge" }] });
    expect(one.models.map((model) => model.id)).toEqual([
      "deepseek/deepseek-v4-flash",
      "ollama/judge",
    ]);
    const all = await programOf(flagship, {
      root: "/tmp",
      models: [{ match: "*", model: "scripted/all", options: { file: "a.yaml" } }],
    });
    expect(all.models).toMatchObject([
      { id: "scripted/all", role: "", fallback: [], options: { file: "/tmp/a.yaml" } },
    ]);
    const { diagnostics } = await compileText(flagship, {
      models: [{ match: "juge", model: "ollama/x" }],
    });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "LW-MODEL-UNKNOWN-ROLE", suggestion: "did you mean `judge`?" },
    ]);
  });
});

describe("models", () => {
  it("extends roles and flattens fallbacks", async () => {
    const program = await programOf(
      small(`models:
  varied: { extends: default, temperature: 0.8 }
  a: { use: ollama/a, fallback: [b] }
  b: { use: ollama/b, fallback: [ollama/c] }
strategy: [{ direct: { model: varied } }, { direct: { model: a } }]
`),
    );
    expect(program.stages.get("direct")?.models["default"]).toMatchObject({
      id: "ollama/s",
      role: "varied",
      sampling: { temperature: 0.8 },
    });
    expect(
      program.stages.get("direct-2")?.models["default"]?.fallback.map((model) => model.id),
    ).toEqual(["ollama/b", "ollama/c"]);
    expect(program.stages.get("direct-2")?.requests).toEqual([1, 6]);
  });

  it("splits provider and name at the first slash", async () => {
    const program = await programOf(
      "apiVersion: loopwright/v1\nname: x\nmodel: ollama/org/model:8b\nstrategy: direct\n",
    );
    expect(program.models[0]).toMatchObject({
      profile: "ollama",
      model: "org/model:8b",
      definition: { id: "openai" },
    });
  });
});

describe("the hash", () => {
  it("is the same for the same meaning, wherever the project lies", async () => {
    const first = await programOf(flagship, { root: "/tmp/one" });
    const second = await programOf(
      `# a comment\n${flagship.replace("maxLessons: 3", "maxLessons: 3   ")}`,
      { root: "/tmp/two" },
    );
    expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(second.hash).toBe(first.hash);
  });

  it("changes with every value that decides about a run", async () => {
    const base = (await programOf(flagship)).hash;
    const changes: readonly (readonly [string, string])[] = [
      ["maxSteps: 6", "maxSteps: 7"],
      ["cache: 60s", "cache: 61s"],
      ["temperature: 0", "temperature: 0.1"],
      ["checks: [evidence, constraints]", "checks: [constraints, evidence]"],
      ["One short reply", "One reply"],
      ["verdict.needsEvidence", "verdict.needsPlan"],
    ];
    const hashes = await Promise.all(
      changes.map(async ([from, to]) => (await programOf(flagship.replace(from, to))).hash),
    );
    expect(new Set([base, ...hashes]).size).toBe(changes.length + 1);
  });
});

describe("explain", () => {
  it("prints the tree, the bounds and the limits within the width", async () => {
    const text = formatExplain(explainProgram(await programOf(flagship)), 72);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(72);
    expect(text).toContain("more-evidence (react)");
    expect(text).toContain("3 to 45 model calls");
    expect(text).toContain("Conclusion: 1 of these model calls");
    expect(text).toContain("toolCalls 30 (worst case 36: it may end limited)");
    expect(text).toContain("judge: deepseek/deepseek-v4-pro, then deepseek/deepseek-v4-flash");
    expect(text).toContain("time 2m");
  });
});
