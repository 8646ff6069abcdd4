import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { stubPlugins } from "../../test/stub-plugins.ts";
import { type CompileResult, compileSpec } from "./compile-spec.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-patches-")));
afterAll(() => rmSync(root, { recursive: true }));

/** Compiles files that extend each other, the lowest first. */
async function chain(...bodies: readonly string[]): Promise<CompileResult> {
  for (const [at, body] of bodies.entries()) {
    const base = at === 0 ? "model: ollama/s\n" : `extends: ./file-${at - 1}.yaml\n`;
    writeFileSync(
      join(root, `file-${at}.yaml`),
      `apiVersion: loopwright/v1\nname: x\n${base}${body}`,
    );
  }
  const file = join(root, `file-${bodies.length - 1}.yaml`);
  return compileSpec({ file }, { plugins: stubPlugins, env: {}, root });
}

const codesOf = ({ diagnostics }: CompileResult): readonly string[] =>
  diagnostics.map(({ code }) => code);

/** A named strategy that lacks an option, which an extending file says. */
const incomplete =
  "memory: { lessons: { use: file, path: l.jsonl } }\nstrategies: { careful: [{ recall: { id: memories } }, direct] }\n";
const completed = "stages: { memories: { from: lessons } }\n";
const unusedOne = "LW-FLOW-UNREACHABLE";

describe("what a file says of stages of a named strategy", () => {
  it("holds where an overlay leaves the strategy unused", async () => {
    const found = await chain(
      `${incomplete}strategy: careful\n`,
      `${completed}overlays: { quick: { strategy: direct } }\n`,
    );
    expect(codesOf(found)).toEqual([unusedOne]);
  });

  it("holds where a further file leaves it unused", async () => {
    const found = await chain(`${incomplete}strategy: careful\n`, completed, "strategy: direct\n");
    expect(codesOf(found)).toEqual([unusedOne]);
  });

  it("holds in a fragment", async () => {
    const found = await chain(incomplete, completed);
    expect(codesOf(found)).toEqual([unusedOne, "LW-SPEC-FRAGMENT"]);
  });

  it("holds where a further file uses it", async () => {
    const found = await chain(incomplete, completed, "strategy: [careful, direct]\n");
    expect(codesOf(found)).toEqual([]);
    expect(found.program?.stages.get("memories")?.options["from"]).toBe("lessons");
  });

  it("ends where the strategy is said anew", async () => {
    const found = await chain(
      `${incomplete}strategy: careful\n`,
      "stages: { memories: { from: lessons, maxLessons: 2 } }\n",
      "strategies: { careful: { recall: { id: memories, from: lessons } } }\n",
    );
    const options = found.program?.stages.get("memories")?.options;
    expect(options).toMatchObject({ from: "lessons" });
    expect(options?.["maxLessons"]).not.toBe(2);
  });

  it("is looked at for faults, once", async () => {
    const patch = "stages: { memories: { frm: lessons } }\n";
    const found = await chain(incomplete, patch);
    expect(codesOf(found).filter((code) => code === "LW-STAGE-UNKNOWN-OPTION")).toHaveLength(1);
    const list = await chain(incomplete, "stages: [memories]\n");
    expect(codesOf(list).filter((code) => code === "LW-VALUE-MAP-EXPECTED")).toHaveLength(1);
  });
});

it("ends what a file says of a stage where a further file brings a strategy of its own", async () => {
  const { program, diagnostics } = await chain(
    "tools: [calculator]\nstrategies: { spare: direct }\nstrategy: react\n",
    "stages: { react: { maxSteps: 2 } }\n",
    "strategy: [react, spare]\n",
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(program?.stages.get("react")?.options["maxSteps"]).toBe(8);
});

it("reports a stage that neither the strategy nor a spare one has", async () => {
  const found = await chain(`${incomplete}strategy: direct\n`, "stages: { memris: { from: x } }\n");
  expect(codesOf(found)).toContain("LW-STAGE-UNKNOWN-ID");
});
