import { describe, expect, it } from "vitest";
import { renderExports } from "./exports-report.ts";
import { renderPluginDocs } from "./plugin-docs.ts";
import { textOf } from "./source-files.ts";

describe("the committed documents", () => {
  it("docs/plugins.md is what the definitions say (npm run docs:plugins)", async () => {
    expect(textOf("docs/plugins.md")).toBe(await renderPluginDocs());
  });

  it("docs/exports.md is what the doors export (npm run docs:exports)", () => {
    expect(textOf("docs/exports.md")).toBe(renderExports());
  });
});
