import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PluginDefinition } from "@loopwright/core";
import { NO_USAGE } from "@loopwright/core/plugin";
import { providers } from "@loopwright/providers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtIn, packageOf, runScripted, specOf } from "../promises/run-scripted.ts";
import { runSpec, type SpecRun } from "../run-spec.ts";
import { layeredModel } from "./layered-model.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "loopwright-usage-"));
});
afterEach(() => rm(root, { recursive: true }));

/** An endpoint that tells no counts; one that costs unless `free`. */
function uncounted(isFree: boolean): PluginDefinition {
  const { plugin } = layeredModel({}, () => ({ text: "four boxes", usage: NO_USAGE }));
  return { ...plugin, free: isFree ? ["layered"] : [] } as PluginDefinition;
}

const body = (more: string, use = "use: layered/m"): string =>
  `model: { ${use}, price: { input: 1000, output: 1000 } }\n${more}\n`;

function run(more: string, isFree = false): Promise<SpecRun> {
  return runScripted(body(more), [], { plugins: [uncounted(isFree)] });
}

const flagsOf = ({ events }: SpecRun): readonly unknown[] =>
  events.flatMap((event) => (event.name === "model-call.end" ? [event.data.isUsageEstimated] : []));

describe("an endpoint that tells no counts", () => {
  it("is counted by an estimate, and that is told", async () => {
    const made = await run("strategy: direct");
    const { usage, usd } = made.outcome.spending;
    expect(usage.input).toBeGreaterThan(50);
    expect(usage.output).toBe(5);
    expect(usd).toBeCloseTo((usage.input + usage.output) / 1000);
    expect(flagsOf(made)).toEqual([true]);
  });

  it.each(["tokens: 1500", "usd: 1.5"])("is held by a limit: %s", async (limit) => {
    const stages = Array.from({ length: 40 }, () => "direct").join(", ");
    const made = await run(`strategy: [${stages}]\nlimits: { ${limit} }`);
    expect(made.outcome).toMatchObject({ outcome: "limited", answer: { text: "four boxes" } });
    expect(made.outcome.spending.modelCalls).toBeLessThan(40);
  });

  it("is replayed with the same numbers", async () => {
    const made = await run("strategy: direct");
    const file = join(root, "log.jsonl");
    await writeFile(file, made.events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    const again = await runSpec(
      specOf(body("strategy: direct", "use: replay/m, file: log.jsonl")),
      { root, plugins: [...builtIn, providers, packageOf([])] },
    );
    expect(again.outcome.outcome).toBe("done");
    expect(again.outcome.spending).toEqual(made.outcome.spending);
    expect(flagsOf(again)).toEqual([true]);
  });

  it("is taken at its word where it makes its replies up", async () => {
    const made = await run("strategy: direct", true);
    expect(made.outcome.spending).toMatchObject({ usage: NO_USAGE, usd: 0 });
    expect(flagsOf(made)).toEqual([undefined]);
  });
});
