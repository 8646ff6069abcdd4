import { readdirSync, readFileSync } from "node:fs";
import { loadSpecSchema } from "@loopwright/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../../core/src/spec/text/diagnostic.ts";
import { parseYaml } from "../../../core/src/spec/text/parse-yaml.ts";
import { sourceFromText } from "../../../core/src/spec/text/read-source.ts";
import { toJson } from "../../../core/src/spec/text/spec-node.ts";
import { galleryPackages } from "./gallery-packages.ts";

const { specSchema } = await loadSpecSchema();
const definitions = await Promise.all(
  galleryPackages.flatMap(({ entries }) => entries).map(({ load }) => load()),
);
const schema = specSchema(definitions);
const ajv = new Ajv2020({ strict: false, allErrors: true });
const isValid = ajv.compile(schema);

const folders = ["../../../../specs/", "../../../../fixtures/gallery/"].map(
  (folder) => new URL(folder, import.meta.url),
);
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => new URL(name, folder)),
);

function dataOf(text: string): unknown {
  const found = new Diagnostics();
  const node = parseYaml(sourceFromText(text, "spec.yaml"), found);
  if (node === undefined) throw new Error(JSON.stringify(found.items));
  return toJson(node);
}

describe("the schema of what is installed", () => {
  it("is a schema of 2020-12", () => {
    expect(ajv.validateSchema(schema)).toBe(true);
  });

  it.each(files.map((file) => [file.pathname.split("/").at(-1), file] as const))(
    "accepts %s",
    (_name, file) => {
      isValid(dataOf(readFileSync(file, "utf8")));
      expect(isValid.errors ?? []).toEqual([]);
    },
  );

  it("holds the options of a stranger's plugin", () => {
    const spec = (tools: string): string =>
      `apiVersion: loopwright/v1\nname: x\nmodel: ollama/s\nstrategy: react\ntools: ${tools}\n`;
    expect(isValid(dataOf(spec("[orders/query]")))).toBe(true);
    expect(isValid(dataOf(spec("{ orders/query: { tiemout: 3s } }")))).toBe(false);
  });

  it("carries descriptions and defaults, times with their units", () => {
    const { "strategy.react": react, "memory.file": file } = schema["$defs"] as Readonly<
      Record<string, { readonly properties: Readonly<Record<string, object>> }>
    >;
    expect(react?.properties["maxSteps"]).toMatchObject({ default: 8 });
    expect(react?.properties["maxSteps"]).toHaveProperty("description");
    expect(file?.properties["ttl"]).toHaveProperty("x-loopwright", { kind: "duration" });
  });
});
