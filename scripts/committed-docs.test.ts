import { describe, expect, it } from "vitest";
import { renderDiagnosticDocs } from "./diagnostic-docs.ts";
import { renderExports } from "./exports-report.ts";
import { renderPluginDocs } from "./plugin-docs.ts";
import { renderPluginSchemas } from "./plugin-schemas.ts";
import { textOf } from "./source-files.ts";

describe("the committed documents", () => {
  it("docs/plugins.md is what the definitions say (npm run docs:plugins)", async () => {
    expect(textOf("docs/plugins.md")).toBe(await renderPluginDocs());
  });

  it("the schemas that manifests name are what the definitions say (npm run docs:plugins)", async () => {
    const schemas = await renderPluginSchemas();
    expect(schemas.map(({ file }) => file)).toContain("packages/anthropic/schemas/anthropic.json");
    for (const { file, text } of schemas) expect(textOf(file)).toBe(text);
  });

  it("docs/diagnostics.md is what the tables of core say (npm run docs:diagnostics)", () => {
    expect(textOf("docs/diagnostics.md")).toBe(renderDiagnosticDocs());
  });

  it("docs/exports.md is what the doors export (npm run docs:exports)", () => {
    expect(textOf("docs/exports.md")).toBe(renderExports());
  });
});
