import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileText, programOf, stubPlugins } from "../../test/stub-plugins.ts";
import { compileSpec, type CompileResult } from "./compile-spec.ts";

const head = "apiVersion: loopwright/v1\nname: x\nmodel: ollama/small\n";

describe("overlays", () => {
  it("lays one over the spec, and leaves the spec alone where none is asked for", async () => {
    const spec = `${head}strategy: { react: { maxSteps: 6 } }
tools: [calculator]
limits: { modelCalls: 60 }
overlays:
  prod: { limits: { time: 2m }, stages: { react: { maxSteps: 4 } }, sinks+: [console] }
`;
    const plain = await programOf(spec);
    expect(plain.overlays).toEqual([]);
    expect(plain.limits).toEqual({ modelCalls: 60 });
    const prod = await programOf(spec, { overlays: ["prod"] });
    expect(prod.overlays).toEqual(["prod"]);
    expect(prod.limits).toEqual({ modelCalls: 60, timeMs: 120_000 });
    expect(prod.stages.get("react")?.options).toMatchObject({ maxSteps: 4 });
    expect(prod.sinks.map(({ name }) => name)).toEqual(["console"]);
    expect(prod.hash).not.toBe(plain.hash);
  });

  it("lays several over the spec in order, and values set by the command over all", async () => {
    const spec = `${head}strategy: { react: { maxSteps: 6 } }
tools: [calculator]
overlays:
  one: { stages: { react: { maxSteps: 2, maxCallsPerStep: 1 } } }
  two: { stages: { react: { maxSteps: 3 } } }
`;
    const optionsWith = async (overlays: readonly string[], value?: string): Promise<unknown> => {
      const overrides = value === undefined ? [] : [{ path: "stages.react.maxSteps", value }];
      const program = await programOf(spec, { overlays, overrides });
      return program.stages.get("react")?.options;
    };
    expect(await optionsWith(["one", "two"])).toMatchObject({ maxSteps: 3, maxCallsPerStep: 1 });
    expect(await optionsWith(["two", "one"])).toMatchObject({ maxSteps: 2 });
    expect(await optionsWith(["one", "two", "one"])).toMatchObject({ maxSteps: 3 });
    expect(await optionsWith(["one"], "5")).toMatchObject({ maxSteps: 5, maxCallsPerStep: 1 });
  });

  it("gives ids before it removes: the others keep their names", async () => {
    const spec = `${head}strategy: [direct, direct, { direct: { instructions: last } }]
overlays: { less: { stages-: [direct-2], stages: { direct-3: { onError: continue } } } }
`;
    const less = await programOf(spec, { overlays: ["less"] });
    expect([...less.stages.keys()]).toEqual(["direct", "direct-3"]);
    expect(less.stages.get("direct-3")?.onError).toBe("continue");
  });

  it("changes a stage that the same overlay's strategy brings, and forgets what lower layers say of others", async () => {
    const spec = `${head}tools: [calculator]
strategy: direct
overlays:
  first: { stages: { direct: { onError: continue } } }
  second: { strategy: { react: { maxSteps: 3 } }, stages: { react: { maxSteps: 2 } } }
`;
    const both = await programOf(spec, { overlays: ["first", "second"] });
    expect([...both.stages.keys()]).toEqual(["react"]);
    expect(both.stages.get("react")?.options).toMatchObject({ maxSteps: 2 });
  });

  it("reaches stages at any depth, merges their maps and adds to their lists", async () => {
    const spec = `${head}tools: [calculator, orders/query]
strategy:
  plan-and-solve: { do: { react: { id: act, tools: [calculator], limits: { modelCalls: 9 } } } }
overlays:
  more: { stages: { act: { limits: { toolCalls: 3 }, tools+: [orders/query] } } }
`;
    const act = (await programOf(spec, { overlays: ["more"] })).stages.get("act");
    expect(act?.limits).toEqual({ modelCalls: 9, toolCalls: 3 });
    expect(act?.tools).toEqual(["calculator", "orders/query"]);
  });

  it("compiles every overlay alone, with its program", async () => {
    const spec = `${head}strategy: direct
overlays: { one: { version: "1" }, two: { limits: { time: 3 } } }
`;
    const { program, variants } = await compileText(spec);
    expect(program).toBeUndefined();
    expect(variants.map((one) => [one.overlay, one.program?.version])).toEqual([
      ["one", "1"],
      ["two", undefined],
    ]);
  });

  it("tells a run only the warnings of what runs", async () => {
    const spec = `${head}strategy: direct
overlays: { one: { version: "\${env:A}" }, two: { limits: { modelCalls: 0 } } }
`;
    const { program, diagnostics } = await compileText(spec.replace("modelCalls: 0", "time: 1s"));
    expect(diagnostics.map(({ code }) => code)).toEqual(["LW-SUBST-UNSET"]);
    expect(program?.diagnostics).toEqual([]);
  });

  it("does not hold what a command sets against an overlay that it does not fit", async () => {
    const spec = `${head}strategy: direct
overlays: { acting: { tools: [calculator], strategy: react } }
`;
    const overrides = [{ path: "stages.react.maxSteps", value: "3" }];
    const fits = await compileText(spec, { overlays: ["acting"], overrides });
    expect(fits.diagnostics).toEqual([]);
    expect(fits.program?.stages.get("react")?.options).toMatchObject({ maxSteps: 3 });
    const not = await compileText(spec, { overrides });
    expect(not.diagnostics.map(({ code, file }) => [code, file])).toEqual([
      ["LW-STAGE-UNKNOWN-ID", "--set stages.react.maxSteps"],
    ]);
  });

  it("says what the spec is made of, and where overlays stand", async () => {
    const spec = `${head}strategy: direct
overlays: { prod: { version: "\${env:VERSION:-1}" } }
`;
    const { index } = await compileText(spec, {
      overlays: ["prod"],
      overrides: [{ path: "description", value: "d" }],
    });
    expect(index.layers).toEqual(["spec.yaml", "overlay prod", "--set"]);
    expect(index.uses.filter(({ kind }) => kind === "overlay")).toMatchObject([
      { name: "prod", isDefinition: true, at: { line: 5, column: 13, endColumn: 17 } },
    ]);
    expect(index.root?.entries.has("overlays")).toBe(true);
    expect(index.environment).toMatchObject([{ kind: "env", name: "VERSION", isSet: false }]);
  });

  it("sets a tool of a list by its name, and adds with `key+`", async () => {
    const spec = `${head}tools: [calculator]\nstrategy: react\n`;
    const program = await programOf(spec, {
      overrides: [
        { path: "tools.calculator.timeout", value: "2s" },
        { path: "sinks+", value: "[console]" },
      ],
    });
    expect(program.tools.get("calculator")?.policy.timeoutMs).toBe(2_000);
    expect(program.sinks.map(({ name }) => name)).toEqual(["console"]);
  });

  it("reports an approval that the command loosens", async () => {
    const spec = `${head}tools: { calculator: { approval: always } }\nstrategy: react\n`;
    const { diagnostics } = await compileText(spec, {
      overrides: [{ path: "tools.calculator.approval", value: "never" }],
    });
    expect(diagnostics.map(({ file, message }) => [file, message])).toEqual([
      [
        "--set tools.calculator.approval",
        "`--set` loosens the approval of `calculator` (was always, spec.yaml:4)",
      ],
    ]);
  });

  it("says nothing of an approval that the tool's effect asks for anyway", async () => {
    const spec = `${head}tools: { orders/update-address: { approval: always } }
strategy: react
overlays: { plain: { tools: [orders/update-address] } }
`;
    const { diagnostics } = await compileText(spec);
    expect(diagnostics.map(({ code }) => code)).not.toContain("LW-TOOL-LOOSENED-APPROVAL");
  });
});

describe("files that extend others", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "loopwright-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function compileFiles(files: Readonly<Record<string, string>>): Promise<CompileResult> {
    for (const [name, text] of Object.entries(files))
      writeFileSync(
        join(folder, name),
        `apiVersion: loopwright/v1\nname: ${name.slice(0, -5)}\n${text}`,
      );
    const settings = { plugins: stubPlugins, env: {}, root: folder };
    return compileSpec({ file: join(folder, "top.yaml") }, settings);
  }

  it("are patches of each other, from the lowest up", async () => {
    const { program, diagnostics } = await compileFiles({
      "low.yaml": `model: ollama/small
tools: [calculator]
strategy: [{ react: { maxSteps: 6 } }, { direct: { id: last } }]
`,
      "middle.yaml": `extends: low.yaml
tools+: [orders/query]
stages: { react: { maxSteps: 5 } }
`,
      "top.yaml": `extends: middle.yaml
tools-: [calculator]
stages: { react: { maxCallsPerStep: 1 } }
stages-: [last]
`,
    });
    expect(diagnostics).toEqual([]);
    expect([...(program?.tools.keys() ?? [])]).toEqual(["orders/query"]);
    expect([...(program?.stages.keys() ?? [])]).toEqual(["react"]);
    expect(program?.stages.get("react")?.options).toMatchObject({
      maxSteps: 5,
      maxCallsPerStep: 1,
    });
    expect(program?.name).toBe("top");
  });

  it("replace a strategy whole", async () => {
    const { program } = await compileFiles({
      "low.yaml":
        "model: ollama/small\ntools: [calculator]\nstrategy: { react: { maxSteps: 6 } }\n",
      "top.yaml": "extends: low.yaml\nstrategy: { direct: {} }\n",
    });
    expect([...(program?.stages.keys() ?? [])]).toEqual(["direct"]);
  });

  it("join their overlays, and put an overlay over the whole", async () => {
    const { variants } = await compileFiles({
      "low.yaml":
        "model: ollama/small\nstrategy: direct\noverlays: { a: { version: low, sinks+: [console] }, b: {} }\n",
      "top.yaml":
        "extends: low.yaml\noverlays: { a: { description: top, sinks+: [] }, c: { version: c } }\n",
    });
    expect(
      variants.map(({ overlay, program }) => [overlay, program?.version, program?.description]),
    ).toEqual([
      ["a", "low", "top"],
      ["b", "", ""],
      ["c", "c", ""],
    ]);
  });
});
