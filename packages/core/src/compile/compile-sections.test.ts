import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stubPlugins } from "../../test/stub-plugins.ts";
import type { Program } from "../program/program.ts";
import { compileSpec } from "./compile-spec.ts";

const head = "apiVersion: loopwright/v1\nname: desk\nmodel: ollama/small\n";
const weather = `apiVersion: loopwright/v1
name: weather
description: Looks the weather up. Use it for a forecast. Not for the past. Returns text.
inputs: { city: string }
model: { use: deepseek/v4, price: { input: 1, output: 2 } }
tools: { orders/query: { fallback: orders/update-address }, orders/update-address: {} }
strategy: { react: { tools: [orders/query] } }
`;

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-sections-")));
  mkdirSync(join(root, "work"));
  writeFileSync(join(root, "cases.jsonl"), "{}\n");
  writeFileSync(join(root, "weather.yaml"), weather);
  writeFileSync(join(root, "priceless.yaml"), weather.replace(/, price: .* }/, " }"));
});
afterAll(() => rmSync(root, { recursive: true }));

async function programOf(body: string): Promise<Program> {
  const file = join(root, "spec.yaml");
  writeFileSync(file, head + body);
  const { program, diagnostics } = await compileSpec(
    { file },
    { plugins: stubPlugins, env: {}, root },
  );
  if (program === undefined) throw new Error(JSON.stringify(diagnostics, undefined, 2));
  return program;
}

async function codesOf(body: string): Promise<readonly string[]> {
  const file = join(root, "spec.yaml");
  writeFileSync(file, head + body);
  const { diagnostics } = await compileSpec({ file }, { plugins: stubPlugins, env: {}, root });
  return diagnostics.map(({ code }) => code);
}

describe("the sections of a spec", () => {
  it("hold what prompts say, where tools work and what judges", async () => {
    const program = await programOf(
      "glossary: { RMA: a return, SKU: an article }\nlanguage: en\nworkspace: work\ncases: cases.jsonl\nstrategy: direct\n",
    );
    expect([...(program.glossary ?? [])]).toEqual([
      ["RMA", "a return"],
      ["SKU", "an article"],
    ]);
    expect(program.language).toBe("en");
    expect(program.workspace).toBe(join(root, "work"));
    expect(program.cases).toBe(join(root, "cases.jsonl"));
    expect(program.notYet).toBeUndefined();
    expect(program.canonical).toMatchObject({
      glossary: { RMA: "a return", SKU: "an article" },
      language: "en",
      workspace: "work",
      cases: "cases.jsonl",
    });
  });

  it("hold switches, which only turn off and lower", async () => {
    const program = await programOf(
      `tools: [calculator]
strategy: [{ react: { id: work } }, { direct: { id: tidy } }]
limits: { modelCalls: 60 }
switches:
  calm: { stages: [tidy], tools: [calculator], limits: { modelCalls: 40, time: 1m } }
`,
    );
    expect(program.switches?.get("calm")).toEqual({
      stages: ["tidy"],
      tools: ["calculator"],
      limits: { modelCalls: 40, timeMs: 60_000 },
    });
    expect(program.notYet ?? []).toEqual([]);
  });

  it("tell where secrets stand, by name", async () => {
    const program = await programOf(
      `models:
  judge: { use: openai/x, apiKey: "\${secret:JUDGE_KEY}" }
  other: { use: openai/y, apiKey: "\${secret:JUDGE_KEY}", baseUrl: "https://$\${secret:NONE}" }
strategy: direct
`,
    );
    expect([...(program.secrets ?? [])]).toMatchObject([["JUDGE_KEY", { line: 5, column: 35 }]]);
  });

  it.each([
    ["glossary: { RMA: a return }", "glossary: { RMA: a refund }"],
    ["language: en", "language: zh"],
    ["workspace: work", "workspace: ."],
    ["switches: { a: { stages: [direct] } }", "switches: { b: { stages: [direct] } }"],
    ["output: { fields: { n: number } }", "output: { fields: { n: number }, deadLetter: d.jsonl }"],
    ["tools: { calculator: { retry: 2 } }", "tools: { calculator: { retry: 3 } }"],
    ["tools: { calculator: { rateLimit: 1/1s } }", "tools: { calculator: { rateLimit: 1/2s } }"],
    [
      "tools: { w: { use: agent, spec: weather.yaml } }",
      "tools: { w: { use: agent, spec: priceless.yaml } }",
    ],
  ])("change the hash: %s, %s", async (one, other) => {
    const [first, second] = [
      await programOf(`strategy: direct\n${one}\n`),
      await programOf(`strategy: direct\n${other}\n`),
    ];
    expect(first.hash).not.toBe(second.hash);
  });
});

describe("the policies of tools beside other sections", () => {
  it("compile to what a run keeps", async () => {
    const program = await programOf(
      `tools:
  calculator: { retry: { attempts: 3, first: 1s, max: 10s }, rateLimit: 10/1m, breaker: { failures: 3, rest: 1m } }
strategy: { react: { tools: { calculator: { retry: 2, limits: { toolCalls: 3 } } } } }
output: { fields: { n: number }, reasoning: separate, repair: { checks: 3 }, deadLetter: dead/letters.jsonl }
`,
    );
    expect(program.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(program.notYet ?? []).toEqual([]);
    expect(program.output).toMatchObject({
      reasoning: "separate",
      repair: 1,
      checkRepair: 3,
      deadLetter: join(root, "dead", "letters.jsonl"),
    });
    expect(program.tools.get("calculator")?.policy).toMatchObject({
      retry: { attempts: 3, firstMs: 1_000, maxMs: 10_000 },
      rateLimit: { count: 10, perMs: 60_000 },
      breaker: { failures: 3, restMs: 60_000 },
    });
    expect(program.stages.get("react")?.policies.get("calculator")).toMatchObject({
      retry: { attempts: 2 },
      limits: { toolCalls: 3 },
      breaker: { failures: 3, restMs: 60_000 },
    });
  });

  it("holds of all tools what can hold for each", async () => {
    const program = await programOf(
      `toolPolicy: { retry: 3, limits: { toolCalls: 9, tokens: 2k } }
tools: { orders/query: {}, orders/update-address: {}, w: { use: agent, spec: weather.yaml } }
strategy: react
`,
    );
    expect(program.tools.get("orders/query")?.policy).toMatchObject({
      retry: { attempts: 3 },
      limits: { toolCalls: 9 },
    });
    expect(program.tools.get("orders/query")?.policy.limits).toEqual({ toolCalls: 9 });
    expect(program.tools.get("orders/update-address")?.policy.retry).toBeUndefined();
    expect(program.tools.get("w")?.policy.limits).toEqual({ toolCalls: 9, tokens: 2_000 });
  });
});

describe("an agent as a tool", () => {
  it("takes its inputs and its task, has the strongest effect it can reach, and its description", async () => {
    const program = await programOf(
      "tools: { w: { use: agent, spec: weather.yaml } }\nstrategy: react\n",
    );
    const tool = program.tools.get("w");
    expect(tool?.input).toMatchObject({
      properties: { task: { type: "string" }, city: { type: "string" } },
      required: ["task", "city"],
      additionalProperties: false,
    });
    expect(tool?.policy).toMatchObject({ effect: "once", approval: "never" });
    expect(tool?.description).toMatch(/^Looks the weather up/);
    expect(program.agents?.get("tool:w")?.name).toBe("weather");
    expect(program.notYet ?? []).toEqual([]);
    expect(tool?.policy.timeoutMs).toBe(Number.POSITIVE_INFINITY);
    expect(tool?.policy.retry).toBeUndefined();
  });

  it("takes no task where it has one, and a description of its own", async () => {
    writeFileSync(join(root, "told.yaml"), `${weather}task: Look it up for {{ inputs.city }}.\n`);
    const program = await programOf(
      "tools: { w: { use: agent, spec: told.yaml, description: Mine. } }\nstrategy: react\n",
    );
    expect(Object.keys(program.tools.get("w")?.input["properties"] ?? {})).toEqual(["city"]);
    expect(program.tools.get("w")?.description).toBe("Mine.");
  });

  it("needs prices for its models where the spec has a limit in dollars", async () => {
    const body = (spec: string): string =>
      `tools: { w: { use: agent, spec: ${spec} } }\nstrategy: react\nlimits: { usd: 0.5 }\n`;
    expect(await codesOf(body("priceless.yaml"))).toContain("LW-LIMIT-NO-PRICE");
    expect(await codesOf(body("weather.yaml"))).not.toContain("LW-LIMIT-NO-PRICE");
  });
});
