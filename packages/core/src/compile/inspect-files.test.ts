import { describe, expect, it } from "vitest";
import { stubPlugins } from "../../test/stub-plugins.ts";
import { defineProvider, type FileFault } from "../contracts/provider.ts";
import { path, Type } from "../contracts/schema.ts";
import { compileSpec } from "./compile-spec.ts";
import type { PluginSource } from "./plugin-source.ts";

const text = `apiVersion: loopwright/v1
name: example
model: { use: taped/any, tape: reels/one.tape }
task: Answer.
strategy: direct
`;

/** Checks the spec with a provider that finds this in the tape it is given. */
async function check(inspect: (options: { tape: string }) => readonly FileFault[], spec = text) {
  const taped = defineProvider({
    id: "taped",
    description: "Plays a tape.",
    options: Type.Object({ tape: path() }),
    free: ["taped"],
    inspect,
    create: () => {
      throw new Error("a check makes nothing");
    },
  });
  const plugins: PluginSource = {
    ...stubPlugins,
    find: async (kind, id) =>
      kind === "provider" && id === "taped"
        ? { status: "found", id, package: "tapes", definition: taped as never }
        : stubPlugins.find(kind, id),
  };
  const settings = { plugins, env: {}, root: "/" };
  return (await compileSpec({ text: spec, file: "spec.yaml" }, settings)).diagnostics;
}

describe("the files of a model's options", () => {
  it("are told at their own place, with the option that names them", async () => {
    const found = await check(({ tape }) => [
      { file: tape, line: 7, column: 2, message: "the tape is torn", repair: "glue it" },
    ]);
    expect(found).toEqual([
      {
        code: "LW-FILE-FORMAT",
        severity: "error",
        file: "reels/one.tape",
        line: 7,
        column: 2,
        path: "",
        message: "the tape is torn",
        suggestion: "glue it",
        notes: ["by `tape` at spec.yaml:3"],
      },
    ]);
  });

  it("are told at the option where a fault has no line", async () => {
    const found = await check(({ tape }) => [{ file: tape, message: "it is empty" }]);
    expect(found).toMatchObject([
      {
        code: "LW-FILE-FORMAT",
        file: "spec.yaml",
        line: 3,
        column: 32,
        message: "in `reels/one.tape`: it is empty",
      },
    ]);
  });

  it.each([
    ["is missing", text.replace(", tape: reels/one.tape", "")],
    ["holds the id of a run", text.replace("reels/one.tape", '"${run:id}.tape"')],
  ])("are not looked into where the option %s", async (_why, spec) => {
    const found = await check(() => {
      throw new Error("nobody asked");
    }, spec);
    expect(found.map(({ message }) => message).join()).not.toContain("nobody asked");
  });

  it("make a provider that throws a broken plugin, not a broken check", async () => {
    const found = await check(() => {
      throw new Error("no tape deck");
    });
    expect(found).toMatchObject([
      {
        code: "LW-PLUGIN-BROKEN",
        line: 3,
        message: "`taped` fails on these options: no tape deck",
      },
    ]);
  });
});
