import { describe, expect, it } from "vitest";
import { compileText, stubPlugins } from "../../test/stub-plugins.ts";
import { generations } from "../contracts/bounds.ts";
import { Type } from "../contracts/schema.ts";
import { one } from "../contracts/slots.ts";
import { defineStrategy } from "../contracts/strategy.ts";
import type { PluginSource } from "./plugin-source.ts";

const picky = defineStrategy({
  id: "picky",
  description: "A stub.",
  options: Type.Object({ method: Type.String({ default: "plain" }) }),
  slots: { aside: one({ description: "never wanted", optional: true }) },
  flow: { sets: ["answer"] },
  bounds: (_options, children) => ({
    generations: [1, 1 + children.aside.generations[1]],
    toolCalls: [0, 0],
  }),
  validate: ({ method }, { slots }) => [
    ...(method === "odd"
      ? [{ message: "is odd", option: "method", severity: "warning" } as const]
      : []),
    ...(method === "later"
      ? [{ message: "comes later", option: "method", severity: "not-yet" } as const]
      : []),
    ...(slots.includes("aside") ? [{ message: "`aside` is not wanted", option: "aside" }] : []),
  ],
  run: async () => {},
});

const moody = defineStrategy({
  id: "moody",
  description: "A stub.",
  options: Type.Object({}),
  flow: { sets: ["answer"] },
  bounds: () => generations(1),
  validate: () => {
    throw new Error("not today");
  },
  run: async () => {},
});

const plugins: PluginSource = {
  ...stubPlugins,
  ids: (kind) => [...stubPlugins.ids(kind), ...(kind === "strategy" ? ["picky", "moody"] : [])],
  find: async (kind, id) => {
    const definition = [picky, moody].find((strategy) => strategy.id === id);
    return kind === "strategy" && definition !== undefined
      ? { status: "found", id, package: "stubs", definition: definition as never }
      : stubPlugins.find(kind, id);
  },
};

const check = (stage: string): ReturnType<typeof compileText> =>
  compileText(`apiVersion: loopwright/v1\nname: x\nmodel: ollama/s\nstrategy: [${stage}]\n`, {
    plugins,
  });

describe("what a strategy says of its options", () => {
  it("is a warning where it says so, and the program stands", async () => {
    const { program, diagnostics } = await check("{ picky: { method: odd } }");
    expect(diagnostics).toMatchObject([
      { code: "LW-STAGE-OPTIONS", severity: "warning", line: 4, column: 23 },
    ]);
    expect(program?.notYet).toBeUndefined();
  });

  it("is a part that can't be run yet, which the program names with its place", async () => {
    const { program, diagnostics } = await check("{ picky: { method: later } }");
    expect(diagnostics).toMatchObject([{ code: "LW-SPEC-NOT-YET", severity: "warning" }]);
    expect(program?.notYet).toMatchObject([
      { what: "picky.method: later", position: { line: 4, column: 23 } },
    ]);
  });

  it("points at a slot as it does at an option", async () => {
    const { program, diagnostics } = await check("{ picky: { aside: direct } }");
    expect(diagnostics).toMatchObject([{ code: "LW-STAGE-OPTIONS", line: 4, column: 23 }]);
    expect(program).toBeUndefined();
  });

  it("is the plugin's fault where it throws", async () => {
    const { diagnostics } = await check("moody");
    expect(diagnostics).toMatchObject([{ code: "LW-PLUGIN-BROKEN", line: 4, column: 12 }]);
    expect(diagnostics[0]?.message).toContain("not today");
  });
});
