import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stubPlugins } from "../../test/stub-plugins.ts";
import type { ModelEntry, Override, Program } from "../program/program.ts";
import { compileSpec } from "./compile-spec.ts";
import { explainProgram, formatExplain } from "./explain.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-calls-")));
  writeFileSync(join(root, "mine.yaml"), "extends: kimi\nparallelCalls: false\n");
});
afterAll(() => rmSync(root, { recursive: true }));

async function programOf(
  model: string,
  more = "",
  settings: {
    readonly overrides?: readonly Override[];
    readonly overlays?: readonly string[];
  } = {},
): Promise<Program> {
  const file = join(root, "spec.yaml");
  writeFileSync(
    file,
    `apiVersion: loopwright/v1\nname: calls\nmodel: ${model}\nstrategy: direct\n${more}`,
  );
  const { program, diagnostics } = await compileSpec(
    { file },
    { plugins: stubPlugins, env: {}, root, ...settings },
  );
  if (program === undefined) throw new Error(JSON.stringify(diagnostics, undefined, 2));
  return program;
}

async function modelOf(...given: Parameters<typeof programOf>): Promise<ModelEntry> {
  const { models } = await programOf(...given);
  return models[0] as ModelEntry;
}

const STANDARD = {
  timeout: { totalMs: 600_000, firstMs: 120_000, idleMs: 60_000 },
  retry: { attempts: 3, firstMs: 1_000, maxMs: 60_000 },
  breaker: { failures: 5, restMs: 30_000 },
};

describe("how a model is called", () => {
  it("is bounded where the spec says nothing", async () => {
    expect((await modelOf("ollama/small")).calls).toEqual(STANDARD);
  });

  it("is read in short and in whole forms", async () => {
    const short = await modelOf("{ use: ollama/small, timeout: 5m, retry: 1, breaker: none }");
    const { breaker: _, ...rest } = STANDARD;
    expect(short.calls).toEqual({
      ...rest,
      timeout: { ...STANDARD.timeout, totalMs: 300_000 },
      retry: { ...STANDARD.retry, attempts: 1 },
    });
    const whole = await modelOf(
      "{ use: ollama/small, timeout: { first: 5s, idle: 2s }, retry: { attempts: 5, max: 500ms }, breaker: { rest: 1m }, rateLimit: 60/1m, tokenRate: 200k/1m, maxParallel: 8, structured: json-mode }",
    );
    expect(whole).toMatchObject({
      structured: "json-mode",
      calls: {
        timeout: { totalMs: 600_000, firstMs: 5_000, idleMs: 2_000 },
        retry: { attempts: 5, firstMs: 500, maxMs: 500 },
        breaker: { failures: 5, restMs: 60_000 },
        rateLimit: { count: 60, perMs: 60_000 },
        tokenRate: { count: 200_000, perMs: 60_000 },
        maxParallel: 8,
      },
    });
  });

  it("is taken over by roles that extend the model, and by models of another provider only in part", async () => {
    const { models } = await programOf(
      "{ use: ollama/small, retry: 4, fallback: [judge] }",
      "models: { base: { use: ollama/small, retry: 5 }, judge: { extends: base, timeout: 1m } }\n",
    );
    expect(models.map(({ calls }) => [calls.retry.attempts, calls.timeout.totalMs])).toEqual([
      [4, 600_000],
      [5, 60_000],
    ]);
    const other = await modelOf("{ use: ollama/small, retry: 5, rateLimit: 9/1m }", "", {
      overrides: [{ path: "model.use", value: "scripted/one" }],
    });
    expect(other.calls).toEqual({ ...STANDARD, retry: { ...STANDARD.retry, attempts: 5 } });
  });

  it("is changed by `--set` and by overlays", async () => {
    const model = "{ use: ollama/small, retry: { attempts: 2, max: 9s } }";
    const overlays = "overlays: { prod: { model: { retry: { attempts: 7 }, maxParallel: 3 } } }\n";
    const { calls } = await modelOf(model, overlays, {
      overlays: ["prod"],
      overrides: [{ path: "model.timeout.idle", value: "3s" }],
    });
    expect(calls).toMatchObject({
      retry: { attempts: 7, maxMs: 9_000 },
      timeout: { idleMs: 3_000 },
      maxParallel: 3,
    });
  });

  it("is part of the hash and of the canonical form", async () => {
    const plain = await programOf("ollama/small");
    const said = await programOf("{ use: ollama/small, retry: 3, timeout: 10m }");
    const changed = await programOf("{ use: ollama/small, retry: 4 }");
    expect(said.hash).toBe(plain.hash);
    expect(changed.hash).not.toBe(plain.hash);
    expect(changed.canonical["models"]).toMatchObject([{ retry: { attempts: 4 } }]);
  });
});

describe("a profile", () => {
  it("is an id, or fields over one, also in a file", async () => {
    expect(await modelOf("{ use: openai/x, profile: kimi }")).toMatchObject({ profile: "kimi" });
    const said = await modelOf("{ use: kimi/x, profile: { structured: json-mode } }");
    expect(said).toMatchObject({ profile: "kimi", overrides: { structured: "json-mode" } });
    const filed = await modelOf('{ use: openai/x, profile: "${file:mine.yaml}" }');
    expect(filed).toMatchObject({ profile: "kimi", overrides: { parallelCalls: false } });
  });

  it("tells models apart by what is laid over it", async () => {
    const { models } = await programOf(
      "{ use: kimi/x, fallback: [{ use: kimi/x, profile: { parallelCalls: false } }] }",
    );
    expect(models.map(({ overrides }) => overrides)).toEqual([undefined, { parallelCalls: false }]);
  });
});

describe("`explain`", () => {
  it("says how models are called, and how many calls there are when they fail", async () => {
    const program = await programOf(
      "{ use: ollama/small, structured: prompt, retry: 4, rateLimit: 60/1m, breaker: none, fallback: [{ use: kimi/x, structured: json-mode, retry: 1, maxParallel: 2 }] }",
    );
    const tree = explainProgram(program);
    expect(tree.totals).toMatchObject({ requests: [1, 4], attempts: 16 });
    const text = formatExplain(tree, 200);
    expect(text).toContain("Model calls: up to 16 when calls fail and are tried again.");
    expect(text).toContain(
      "default: ollama/small, then kimi/x: timeout 10m, retry 4 after 1s to 1m, no breaker, rate 60/1m, structured prompt",
    );
    expect(text).toContain(
      "no retry, rests 30s after 5 failures, at most 2 at a time, structured json-mode",
    );
  });

  it("is silent where no call can be made again", async () => {
    const program = await programOf("{ use: ollama/small, structured: prompt, retry: 1 }");
    expect(formatExplain(explainProgram(program), 200)).not.toContain("tried again");
  });
});
