import { describe, expect, it } from "vitest";
import { compileText, programOf } from "../../test/stub-plugins.ts";
import type { CompileSettings } from "./compile-settings.ts";
import { provenanceOf } from "./provenance.ts";

const spec = `apiVersion: loopwright/v1
name: x
model: ollama/s
tools: [calculator]
strategy:
  choose:
    cases:
      small: { description: Small ones., do: direct }
      big: { description: Big ones., do: react }
overlays:
  prod: { stages: { choose: { cases: { small: { description: Tiny ones. } } } } }
  gone: { stages-: [direct] }
`;

async function casesWith(settings: Partial<CompileSettings>): Promise<unknown> {
  const { stages } = await programOf(spec, settings);
  return stages.get("choose")?.options["cases"];
}

const set = (path: string, value = "Other."): Partial<CompileSettings> => ({
  overrides: [{ path, value }],
});

describe("an option that belongs to a slot", () => {
  it("is changed by an overlay, and the other cases stay", async () => {
    expect(await casesWith({ overlays: ["prod"] })).toEqual({
      small: { description: "Tiny ones." },
      big: { description: "Big ones." },
    });
  });

  it("is set by its path, over an overlay too", async () => {
    const settings = { overlays: ["prod"], ...set("stages.choose.cases.small.description") };
    expect(await casesWith(settings)).toEqual({
      small: { description: "Other." },
      big: { description: "Big ones." },
    });
  });

  it("says where it comes from and what it replaced", async () => {
    const { index } = await compileText(spec, { overlays: ["prod"] });
    expect(provenanceOf(index, "stages.choose.cases.small.description")).toMatchObject({
      provenance: { value: "Tiny ones.", by: "prod", was: [{ value: "Small ones." }] },
    });
  });

  it("goes with its case", async () => {
    expect(await casesWith({ overlays: ["gone"] })).toEqual({ big: { description: "Big ones." } });
  });
});

describe("a path below a slot that can't be set", () => {
  it.each([
    ["cases.big.do", "change its stages by their ids, as `stages.react`, or say `strategy` anew"],
    ["cases.bg.description", "did you mean `big`?"],
    ["cases.big", "name an option beside its stages: `cases.big.OPTION`"],
    ["cases", "name an option beside its stages: `cases.small.OPTION`"],
    ["cases+.big.description", "say `strategy` anew"],
    ["id", "name an option: stages.choose.OPTION"],
  ])("says for %s where it can be changed", async (path, repair) => {
    const { diagnostics } = await compileText(spec, set(`stages.choose.${path}`));
    expect(diagnostics.map(({ code, suggestion }) => [code, suggestion])).toEqual([
      ["LW-SPEC-PATCH", repair],
    ]);
  });
});
