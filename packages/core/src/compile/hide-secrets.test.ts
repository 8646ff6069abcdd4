import { describe, expect, it } from "vitest";
import { compileText, programOf, stubPlugins } from "../../test/stub-plugins.ts";
import { secret, Type } from "../contracts/schema.ts";
import { defineTool } from "../contracts/tool.ts";
import { compileSpec } from "./compile-spec.ts";
import { diffPrograms, formatDifference } from "./diff-programs.ts";
import type { PluginSource } from "./plugin-source.ts";
import { provenanceOf } from "./provenance.ts";

const spec = (model: string): string => `apiVersion: loopwright/v1
name: x
model: ${model}
strategy: direct
overlays:
  prod: { models: { other: { use: openai/x, apiKey: SECRET-over } } }
`;
const marked = spec(
  '{ use: openai/x, apiKey: "${env:KEY}", baseUrl: "https://u:SECRETPW@h.test/v1?key=SECRETQ" }',
);
const env = { KEY: "SECRET-key", BASE: "https://h.test/SECRET" };

describe("values that are marked secret", () => {
  it("are not in the canonical spec", async () => {
    const { program } = await compileText(marked, { env });
    expect(program?.canonical["models"]).toMatchObject([
      { options: { apiKey: "[secret]", baseUrl: "https://[secret]@h.test/v1?[secret]" } },
    ]);
  });

  it("show an address from a variable by the variable, and a secret by its name", async () => {
    const model = '{ use: openai/x, apiKey: "${secret:KEY}", baseUrl: "${env:BASE}" }';
    const { program } = await compileText(spec(model), { env });
    expect(program?.canonical["models"]).toMatchObject([
      { options: { apiKey: "${secret:KEY}", baseUrl: "${env:BASE}" } },
    ]);
  });

  it.each(["model", "model.apiKey", "model.baseUrl", "overlays.prod", "overlays"])(
    "are not told at %s, nor as what was replaced",
    async (path) => {
      const { index, program } = await compileText(marked, { env });
      const traced = provenanceOf(index, path, program === undefined ? {} : { program });
      expect(traced.ok).toBe(true);
      expect(JSON.stringify(traced)).toContain("[secret]");
      expect(JSON.stringify(traced)).not.toContain("SECRET");
    },
  );

  it("differ without being told", async () => {
    const [first, second] = ["SECRET-a", "SECRET-b"].map((key) =>
      spec(`{ use: openai/x, apiKey: ${key}, baseUrl: "https://u:${key}@h.test/v1" }`),
    );
    const difference = diffPrograms(await programOf(first ?? ""), await programOf(second ?? ""));
    expect(difference.map(formatDifference)).toEqual([
      "models.default.apiKey changed",
      "models.default.baseUrl changed",
    ]);
  });
});

describe("an option that a plugin marks secret, in a spec with errors", () => {
  const vault = defineTool({
    id: "vault",
    description: "Opens a vault.",
    options: Type.Object({ pin: secret() }),
    input: Type.Object({}),
    effect: "read",
    create: () => {
      throw new Error("nothing is opened here");
    },
  });
  const plugins: PluginSource = {
    ...stubPlugins,
    find: async (kind, id) =>
      kind === "tool" && id === "vault"
        ? { status: "found", id, package: "vaults", definition: vault as never }
        : stubPlugins.find(kind, id),
  };

  it("is not told where it comes from", async () => {
    const text = `${spec("openai/x")}tools: { safe: { use: vault, pin: "\${env:KEY}" } }\nlimits: { time: 5 }\n`;
    const { index, program } = await compileSpec(
      { text, file: "spec.yaml" },
      { plugins, env, root: "/" },
    );
    expect(program).toBeUndefined();
    const traced = provenanceOf(index, "tools.safe.pin");
    expect(traced).toMatchObject({ provenance: { value: "[secret]", origin: "env", by: "KEY" } });
  });
});

describe("a path where nothing stands", () => {
  it.each(["constructor", "toString", "__proto__", "tools.constructor", "limits.constructor"])(
    "%s has no default",
    async (path) => {
      const { index, program } = await compileText(spec("openai/x"), { env });
      expect(provenanceOf(index, path, { ...(program && { program }) }).ok).toBe(false);
    },
  );

  it("tells that a limit that is not set does not bound", async () => {
    const { index } = await compileText(spec("openai/x"), { env });
    expect(provenanceOf(index, "limits.modelCalls")).toEqual({
      ok: false,
      message: "not set, so there is no limit",
    });
  });
});
